import Foundation

/// Receives the progress of a transfer, in bytes.
///
/// The `totalUnitCount` is -1 if the length is not known. The handler is called on any thread.
public typealias ProgressHandler = @Sendable (Progress) -> Void

/// Reports the progress of one transfer, at a limited rate.
package final class ProgressMeter: Sendable {
    private let report: @Sendable (Progress) -> Void
    private let started = ContinuousClock.now
    private let state: Locked<TransferProgress>

    package init(total: Int64 = -1, report: @escaping @Sendable (Progress) -> Void) {
        self.report = report
        state = Locked(TransferProgress(total: total))
    }

    /// Increases the number of transferred bytes.
    func advance(by count: Int) { perform { $0.advance(by: count, at: $1) } }

    /// Sets the number of transferred bytes and, if it is known, the total.
    package func advance(to count: Int64, of total: Int64?) {
        perform { progress, now in
            if let total { progress.expect(total) }
            return progress.advance(to: count, at: now)
        }
    }

    /// Sets the total number of bytes, if it is known.
    package func expect(_ total: Int64?) {
        if let total { state.withLock { $0.expect(total) } }
    }

    /// Resets the number of transferred bytes to zero, with a new total if it is known.
    package func restart(total: Int64?) { state.withLock { $0.restart(total: total) } }

    /// Reports the bytes that have not been reported, because a transfer ends.
    ///
    /// The next attempt may advance the meter further.
    package func finish() { perform { $0.finish(at: $1) } }

    private func perform(_ event: (inout TransferProgress, Duration) -> Bool) {
        let now = ContinuousClock.now - started
        let due = state.withLock { progress in event(&progress, now) ? progress : nil }
        if let due { report(due.makeProgress()) }
    }
}
