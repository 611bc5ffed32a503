import Foundation

/// Suspends a task while its reader has enough to read, and resumes it afterwards.
///
/// URLSession counts suspensions, and may deliver data that was under way after one. So a task is suspended once, when a
/// chunk is held, and resumed once, when the reader has taken all that was held.
final class URLSessionFlowControl: Sendable {
    private struct State: Sendable {
        /// How many chunks the exchange has got and not asked on for.
        var held = 0
        var isSuspended = false
        /// Whether a thread is calling the task: calls must not overtake each other.
        var isCalling = false
    }

    private let suspend: @Sendable () -> Void
    private let resume: @Sendable () -> Void
    private let state = Locked(State())

    /// Creates flow control of a task that runs.
    init(suspend: @escaping @Sendable () -> Void, resume: @escaping @Sendable () -> Void) {
        self.suspend = suspend
        self.resume = resume
    }

    /// Hands a chunk to the exchange, and suspends the task if the exchange holds it.
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
