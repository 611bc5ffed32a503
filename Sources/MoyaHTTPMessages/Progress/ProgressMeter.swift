import Foundation

/// Receives the progress of a transfer, in bytes, on any thread.
///
/// The `totalUnitCount` is -1 if the length is not known. An upload counts the bytes of its body that the transport has read to send
/// them, some of which may still be in its buffers; `URLSessionTransport` counts sent bytes, unless the body is compressed.
///
/// Progress never decreases: a retry, a redirect, a resend, or a download that starts over transfers a body from its beginning, and the
/// next report follows when more bytes, and a part of the body that is not smaller, have been transferred than before, or when the whole
/// body has been transferred for the first time. A body that is shorter than the reported bytes, because its file has shrunk, ends with
/// the reported number of bytes as its total.
public typealias ProgressHandler = @Sendable (Progress) -> Void

/// Reports the progress of one transfer, at a limited rate.
///
/// Any thread may advance the meter. Its reports never overlap.
package final class ProgressMeter: Sendable {
    private struct State: Sendable {
        var transfer: TransferProgress
        /// Whether a thread calls the handler.
        var isReporting = false
        /// The report that became due during a call of the handler.
        var nextReport: TransferProgress?
        var isSilent = false
    }

    private let report: @Sendable (Progress) -> Void
    private let started = ContinuousClock.now
    private let state: InlineLocked<State>

    package init(total: Int64 = -1, report: @escaping @Sendable (Progress) -> Void) {
        self.report = report
        state = InlineLocked(State(transfer: TransferProgress(total: total)))
    }

    /// Sets the number of transferred bytes and, if it is known, the total.
    package func advance(to count: Int64, of total: Int64?) {
        update { $0.advance(to: count, of: total, at: $1) }
    }

    /// Sets the total number of bytes, if it is known.
    package func expect(_ total: Int64?) {
        if let total { state.withLock { $0.transfer.expect(total) } }
    }

    /// Resets the number of transferred bytes to zero, with a new total if it is known.
    package func restart(total: Int64?) { state.withLock { $0.transfer.restart(total: total) } }

    /// Reports the bytes that have not been reported, because a transfer ends or fails.
    ///
    /// The next attempt may advance the meter further.
    package func flush() { update { $0.recordLastReport(at: $1) } }

    /// Silences the meter, because the request has ended: a transport may still read the body of a request that was cancelled, or that
    /// got its response before the end of its body.
    ///
    /// If another thread has begun a report, it may still follow, and one for the bytes that have been counted meanwhile. The method does
    /// not wait for that thread, whose handler may wait for the end of the request.
    package func silence() { state.withLock { $0.isSilent = true } }

    /// Passes an event to the progress, and reports it if a report is due.
    ///
    /// The handler is called without the lock. If another thread calls it at the moment, that thread makes the report as well.
    private func update(_ event: (inout TransferProgress, Duration) -> Bool) {
        let now = ContinuousClock.now - started
        var due = state.withLock { state -> TransferProgress? in
            guard !state.isSilent, event(&state.transfer, now) else { return nil }
            guard !state.isReporting else {
                state.nextReport = state.transfer
                return nil
            }
            state.isReporting = true
            return state.transfer
        }
        while let transfer = due {
            report(transfer.makeProgress())
            due = state.withLock { state in
                state.isReporting = state.nextReport != nil
                return state.nextReport.take()
            }
        }
    }
}
