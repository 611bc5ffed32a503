import Foundation

/// Receives the progress of a transfer, in bytes. The `totalUnitCount` is -1 where the length is not known. It is called on
/// any thread.
public typealias ProgressHandler = @Sendable (Progress) -> Void

/// Reports how far one transfer has come, not more often than is of use.
final class ProgressMeter: Sendable {
    private let report: @Sendable (Progress) -> Void
    private let started = ContinuousClock.now
    private let state: Locked<TransferProgress>

    init(total: Int64 = -1, report: @escaping @Sendable (Progress) -> Void) {
        self.report = report
        state = Locked(TransferProgress(total: total))
    }

    /// More bytes have passed.
    func advanced(by count: Int) { perform { $0.advanced(by: count, at: $1) } }

    /// So many bytes have passed, of so many if that is known by now.
    func advanced(to count: Int64, of total: Int64?) {
        perform { progress, now in
            if let total { progress.expect(total) }
            return progress.advanced(to: count, at: now)
        }
    }

    /// So many bytes are to come, if that is known by now.
    func expect(_ total: Int64?) {
        if let total { state.withLock { $0.expect(total) } }
    }

    /// What has passed is of no use: the bytes are counted from zero again, of so many if that is known.
    func startedOver(of total: Int64?) { perform { $0.startedOver(of: total, at: $1) } }

    /// No more will pass.
    func ended() { perform { $0.ended(at: $1) } }

    private func perform(_ event: (inout TransferProgress, Duration) -> Bool) {
        let now = ContinuousClock.now - started
        let due = state.withLock { progress in event(&progress, now) ? progress : nil }
        if let due { report(due.makeProgress()) }
    }
}
