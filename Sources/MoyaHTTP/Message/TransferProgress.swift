import Foundation

/// Counts the bytes of one transfer and says when it is worth telling. Pure: it is told the time.
///
/// A report is due when a hundredth of the total has been added, or, while that is not known, a quarter of what is there;
/// when a tenth of a second has passed since the last one; and at the end. So a fast transfer makes about a hundred reports,
/// a slow one ten a second. What is told goes back only to zero, and only where a transfer starts over.
struct TransferProgress: Equatable, Sendable {
    /// How much is to come; -1 while that is not known.
    private(set) var total: Int64
    /// How much has come.
    private(set) var completed: Int64 = 0

    private var reported: Int64 = 0
    private var reportedAt: Duration?

    /// Reports that lie closer together than this are left out, unless much has happened.
    private static let interval = Duration.milliseconds(100)

    init(total: Int64 = -1) { self.total = total < 0 ? -1 : total }

    /// Takes note of how much is to come.
    mutating func expect(_ total: Int64) {
        if total >= completed { self.total = total }
    }

    /// Takes note of more bytes. Returns whether to report now.
    mutating func advanced(by count: Int, at now: Duration) -> Bool {
        advanced(to: completed + Int64(count), at: now)
    }

    /// Takes note of how many bytes there are by now; fewer than before, as after a new start, say nothing.
    mutating func advanced(to count: Int64, at now: Duration) -> Bool {
        guard count > completed else { return false }
        completed = count
        // What was announced was wrong: now it is not known any more.
        if total >= 0, completed > total { total = -1 }
        let step = max(1, total > 0 ? total / 100 : completed / 4)
        let isLong = reportedAt.map { now - $0 >= Self.interval } ?? true
        guard isLong || completed - reported >= step || completed == total else { return false }
        return report(at: now)
    }

    /// The transfer begins again, with other bytes. Returns whether to report that now.
    mutating func startedOver(of total: Int64?, at now: Duration) -> Bool {
        let hasReported = reported > 0
        self = TransferProgress(total: total ?? -1)
        return hasReported && report(at: now)
    }

    /// The transfer is at its end. Returns whether that has still to be reported.
    mutating func ended(at now: Duration) -> Bool {
        guard completed > reported else { return false }
        return report(at: now)
    }

    private mutating func report(at now: Duration) -> Bool {
        reported = completed
        reportedAt = now
        return true
    }

    /// A snapshot as Foundation counts. A new object each time: one that others hold must not change under them.
    func makeProgress() -> Progress {
        let progress = Progress(totalUnitCount: total)
        progress.completedUnitCount = completed
        return progress
    }
}
