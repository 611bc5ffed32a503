import Foundation
import Moya

/// What cancels the last of several requests that follow each other.
public final class CurrentRequest: Cancellable {
    private let lock = NSLock()
    private var started = 0
    private var current: (number: Int, request: Cancellable)?
    private var hasBeenCancelled = false

    /// Makes one, with nothing to cancel yet.
    public init() {}

    /// Whether it was cancelled.
    public var isCancelled: Bool {
        lock.lock()
        defer { lock.unlock() }
        return hasBeenCancelled
    }

    /// Cancels what is under way, and what is started from now on.
    public func cancel() {
        lock.lock()
        hasBeenCancelled = true
        let request = current?.request
        lock.unlock()
        request?.cancel()
    }

    /// Starts the next request. It may end, and start one after it, before `start` returns.
    public func replace(_ start: () -> Cancellable) {
        lock.lock()
        started += 1
        let number = started
        lock.unlock()
        let request = start()
        lock.lock()
        if number > current?.number ?? 0 { current = (number, request) }
        let isLate = hasBeenCancelled
        lock.unlock()
        if isLate { request.cancel() }
    }
}
