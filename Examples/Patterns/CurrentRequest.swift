import Foundation
import Moya

/// A handle that cancels the last of several consecutive requests.
public final class CurrentRequest: Cancellable {
    private let lock = NSLock()
    private var started = 0
    private var current: (number: Int, request: Cancellable)?
    private var hasBeenCancelled = false

    /// Creates a handle without a request.
    public init() {}

    /// Whether the handle was cancelled.
    public var isCancelled: Bool {
        lock.lock()
        defer { lock.unlock() }
        return hasBeenCancelled
    }

    /// Cancels the current request and all requests that are started later.
    public func cancel() {
        lock.lock()
        hasBeenCancelled = true
        let request = current?.request
        lock.unlock()
        request?.cancel()
    }

    /// Starts the next request with `start`.
    ///
    /// That request may complete, and its completion may start another request, before `start` returns.
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
