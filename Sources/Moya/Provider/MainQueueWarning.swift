import Dispatch
import Foundation

/// A warning, written once, about a completion that waits long for its queue.
///
/// A program whose main thread waits for a result never gets the result on the main queue.
struct MainQueueWarning: Sendable {
    private enum State: Sendable {
        case idle
        case checking
        case warned
    }

    /// The warning for the main queue, which is written to standard error.
    static let main = MainQueueWarning(queue: .main, limit: .seconds(5)) { text in
        FileHandle.standardError.write(Data("\(text)\n".utf8))
    }

    private static let text = """
        Moya: a completion has waited 5 seconds for the main queue, where results arrive unless there is a callback queue. If \
        the main thread waits for the result, pass `callbackQueue: .global()`, or use `try await provider.request(…)`.
        """

    let queue: DispatchQueue
    let limit: DispatchTimeInterval
    let warn: @Sendable (String) -> Void
    private let state = Locked(State.idle)

    init(queue: DispatchQueue, limit: DispatchTimeInterval, warn: @escaping @Sendable (String) -> Void) {
        self.queue = queue
        self.limit = limit
        self.warn = warn
    }

    /// Begins to check that the queue runs a function within the limit, and warns if it does not.
    ///
    /// It does nothing during another check and after the warning.
    ///
    /// - Returns: Whether a check has begun.
    @discardableResult
    func check() -> Bool {
        let begins = state.withLock { state in
            guard case .idle = state else { return false }
            state = .checking
            return true
        }
        guard begins else { return false }
        let hasRun = Locked(false)
        queue.async { hasRun.withLock { $0 = true } }
        DispatchQueue.global().asyncAfter(deadline: .now() + limit) { [self] in
            let hasRun = hasRun.withLock { $0 }
            state.withLock { $0 = hasRun ? .idle : .warned }
            if !hasRun { warn(Self.text) }
        }
        return true
    }
}
