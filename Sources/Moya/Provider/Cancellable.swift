import Foundation

/// An operation that can be cancelled, such as a request.
@preconcurrency
public protocol Cancellable: Sendable {
    /// Whether the operation was cancelled.
    var isCancelled: Bool { get }

    /// Cancels the operation.
    ///
    /// Further calls have no effect.
    func cancel()
}

/// A token that cancels one request.
public final class CancellableToken: Cancellable, CustomDebugStringConvertible, Sendable {
    private struct State: Sendable {
        var isCancelled = false
        var action: (@Sendable () -> Void)?
        var request: PreparedRequest?
    }

    private let state: Locked<State>

    /// Creates a token.
    ///
    /// - Parameter action: Cancels the request. It is called at most once.
    @preconcurrency
    public init(action: @escaping @Sendable () -> Void) { state = Locked(State(action: action)) }

    /// Creates a token without an action, which ``attach(_:)`` sets later.
    init() { state = Locked(State()) }

    /// Whether ``cancel()`` has been called.
    public var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Calls the action, in the first call only.
    public func cancel() {
        let action: (@Sendable () -> Void)? = state.withLock { state in
            state.isCancelled = true
            defer { state.action = nil }
            return state.action
        }
        action?()
    }

    /// The request as a `curl` command with masked credentials; `Empty Request` until the request is known.
    public var debugDescription: String {
        guard let request = state.withLock({ $0.request }) else { return "Empty Request" }
        return request.curlText()
    }

    /// Sets the action, and calls it at once if the token is already cancelled.
    func attach(_ action: @escaping @Sendable () -> Void) {
        let isCancelled = state.withLock { state in
            if !state.isCancelled { state.action = action }
            return state.isCancelled
        }
        if isCancelled { action() }
    }

    /// Releases the action, after the request has ended.
    func detach() { state.withLock { $0.action = nil } }

    /// Sets the request that the token cancels, for its description.
    func note(_ request: PreparedRequest) { state.withLock { $0.request = request } }
}
