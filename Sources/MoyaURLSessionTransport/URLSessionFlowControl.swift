import Foundation

/// Flow control that suspends a task while its reader has enough data, and resumes it afterwards.
///
/// URLSession counts suspensions, and may deliver pending data after one. Therefore a task is suspended once, when
/// a chunk is held, and resumed once, when the reader has taken all held chunks.
final class URLSessionFlowControl: Sendable {
    private struct State: Sendable {
        /// The number of chunks that the exchange has not taken.
        var held = 0
        var isSuspended = false
        /// Whether a thread is calling the task.
        ///
        /// That thread makes the calls of other threads, too, so that their order is kept.
        var isCalling = false
    }

    private let suspend: @Sendable () -> Void
    private let resume: @Sendable () -> Void
    private let state = Locked(State())

    /// Creates flow control for a running task.
    init(suspend: @escaping @Sendable () -> Void, resume: @escaping @Sendable () -> Void) {
        self.suspend = suspend
        self.resume = resume
    }

    /// Passes a chunk to the exchange, and suspends the task if the exchange holds it.
    func received(_ chunk: Data, by exchange: Exchange) {
        state.withLock { $0.held += 1 }
        exchange.received(chunk) { [self] in
            state.withLock { $0.held -= 1 }
            update()
        }
        update()
    }

    private func update() {
        while true {
            let isSuspended: Bool? = state.withLock { state in
                guard !state.isCalling, state.isSuspended != (state.held > 0) else { return nil }
                state.isCalling = true
                state.isSuspended.toggle()
                return state.isSuspended
            }
            guard let isSuspended else { return }
            if isSuspended { suspend() } else { resume() }
            state.withLock { $0.isCalling = false }
        }
    }
}
