import Foundation

/// The number of bytes that a transfer has completed, with the rule for reports of its progress.
///
/// A report is due for the first bytes; after a hundredth of the total, or a quarter of the completed bytes if the total is unknown; 0.1
/// seconds after the previous report; and at the end. Thus a fast transfer causes about a hundred reports, and a slow
/// transfer ten per second. Neither the reported number nor the reported fraction decreases: a transfer that restarts is reported
/// again when it is ahead of the previous report.
struct TransferProgress: Equatable, Sendable {
    /// The total number of bytes; -1 if unknown.
    private(set) var total: Int64
    /// The number of completed bytes.
    private(set) var completed: Int64 = 0

    private var reported: Int64 = 0
    private var reportedFraction = 0.0
    private var reportedAt: Duration?

    /// The minimum time between two reports, unless many bytes have been added.
    private static let interval = Duration.milliseconds(100)

    init(total: Int64 = -1) { self.total = total < 0 ? -1 : total }

    /// Sets the total, unless more bytes are completed already.
    mutating func expect(_ total: Int64) {
        if total >= completed { self.total = total }
    }

    /// Sets the number of completed bytes and, if it is known, the total; returns whether to report now.
    ///
    /// A lower number, as after a restart, is ignored, unless it is the whole body: a file that is sent again may have shrunk. Then the
    /// transfer is complete with the number that was reported for the longer body.
    mutating func advance(to count: Int64, of announced: Int64? = nil, at now: Duration) -> Bool {
        if let announced { expect(announced) }
        if count > 0, count == announced ?? total, count <= max(completed, reported), reportedFraction < 1 {
            completed = max(completed, reported)
            total = completed
            return recordReport(at: now, fraction: 1)
        }
        guard count > completed else { return false }
        completed = count
        // The announced total was wrong, so it is unknown now.
        if total >= 0, completed > total { total = -1 }
        let step = max(1, total > 0 ? total / 100 : completed / 4)
        let isLong = reportedAt.map { now - $0 >= Self.interval } ?? true
        guard isLong || completed - reported >= step || completed == total else { return false }
        return recordReportIfAhead(at: now)
    }

    /// Restarts the transfer with another body.
    mutating func restart(total: Int64?) {
        completed = 0
        self.total = total.map { $0 < 0 ? -1 : $0 } ?? -1
    }

    /// Records the report at the end of a transfer; returns whether it is still due.
    mutating func recordLastReport(at now: Duration) -> Bool { recordReportIfAhead(at: now) }

    /// Records a report, unless it would not be ahead of the previous one; returns whether it is recorded.
    private mutating func recordReportIfAhead(at now: Duration) -> Bool {
        let fraction = total > 0 ? Double(completed) / Double(total) : 0
        guard completed > reported, fraction >= reportedFraction else { return false }
        return recordReport(at: now, fraction: fraction)
    }

    /// Records a report; returns true.
    private mutating func recordReport(at now: Duration, fraction: Double) -> Bool {
        (reported, reportedFraction, reportedAt) = (completed, fraction, now)
        return true
    }

    /// Returns a snapshot in a new object, since callers may keep it.
    func makeProgress() -> Progress {
        let progress = Progress(totalUnitCount: total)
        progress.completedUnitCount = completed
        return progress
    }
}
