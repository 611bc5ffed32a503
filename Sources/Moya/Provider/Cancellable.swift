import Foundation

/// Something that can be cancelled.
@preconcurrency
public protocol Cancellable: Sendable {
    /// Whether it has been.
    var isCancelled: Bool { get }

    /// Cancels it. Once is enough.
    func cancel()
}

/// Cancels one request.
public final class CancellableToken: Cancellable, CustomDebugStringConvertible, Sendable {
    private struct State: Sendable {
        var isCancelled = false
        var action: (@Sendable () -> Void)?
        var request: PreparedRequest?
    }

    private let state: Locked<State>

    /// Makes a token.
    ///
    /// - Parameter action: What cancelling does. It is called once at most.
    @preconcurrency
    public init(action: @escaping @Sendable () -> Void) { state = Locked(State(action: action)) }

    /// Makes a token for something that is not there yet; ``attach(_:)`` says what cancelling does.
    init() { state = Locked(State()) }

    /// Whether ``cancel()`` has been called.
    public var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Calls the action, the first time.
    public func cancel() {
        let action: (@Sendable () -> Void)? = state.withLock { state in
            state.isCancelled = true
            defer { state.action = nil }
            return state.action
        }
        action?()
    }

    /// The request as a `curl` command, once it is known, with credentials masked; `Empty Request` before.
    public var debugDescription: String {
        guard let request = state.withLock({ $0.request }) else { return "Empty Request" }
        return request.curlText()
    }

    /// Says what cancelling does from now on; calls it at once if the token is cancelled.
    func attach(_ action: @escaping @Sendable () -> Void) {
        let isCancelled = state.withLock { state in
            if !state.isCancelled { state.action = action }
            return state.isCancelled
        }
        if isCancelled { action() }
    }

    /// Says that there is nothing left to cancel, and lets go of what cancelling would have done.
    func detach() { state.withLock { $0.action = nil } }

    /// Says which request it is that the token would cancel.
    func note(_ request: PreparedRequest) { state.withLock { $0.request = request } }
}
