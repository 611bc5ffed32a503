import Dispatch
import Foundation

/// Warns, once, if a completion waits long for its queue: a program whose main thread waits for a result never gets it on
/// the main queue.
struct MainQueueMonitor: Sendable {
    private enum State: Sendable {
        case idle
        case checking
        case warned
    }

    /// The monitor of the main queue, which writes to standard error.
    static let main = MainQueueMonitor(queue: .main, limit: .seconds(5)) { text in
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

    /// Checks that the queue runs within the limit; one check at a time, whatever the number of completions.
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
