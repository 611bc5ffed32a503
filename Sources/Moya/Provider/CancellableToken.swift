/// A token that cancels one request.
public final class CancellableToken: Cancellable, CustomDebugStringConvertible, Sendable {
    // The state of the cancellation also decides who sends the request: under one lock, either the thread that has the mapped
    // request claims it, or the thread that cancels it, which then ends it unsent.
    private struct State: Sendable {
        var cancellation = CancellationState()
        /// Whether a thread has claimed the request, to send it or to end it unsent.
        var isClaimed = false
        /// The request of the last attempt, for the description only.
        var request: PluginRequest?
    }

    private let state: InlineLocked<State>

    /// Creates a token.
    ///
    /// - Parameter action: Cancels the request. It is called at most once.
    @preconcurrency
    public init(action: @escaping @Sendable () -> Void) {
        state = InlineLocked(State(cancellation: CancellationState(action: action)))
    }

    /// Creates a token without an action, which ``attach(_:)`` sets later.
    init() { state = InlineLocked(State()) }

    /// Whether ``cancel()`` has been called.
    public var isCancelled: Bool { state.withLock { $0.cancellation.isCancelled } }

    /// Calls the action, in the first call only.
    public func cancel() {
        let action = state.withLock { $0.cancellation.cancel() }
        action?()
    }

    /// The request as a `curl` command with masked credentials; `Empty Request` until the request is known.
    public var debugDescription: String {
        guard let request = state.withLock({ $0.request }) else { return "Empty Request" }
        return request.curlText()
    }

    /// Sets the action, and calls it at once if the token is already cancelled.
    func attach(_ action: @escaping @Sendable () -> Void) {
        let isCancelled = state.withLock { $0.cancellation.attach(action) }
        if isCancelled { action() }
    }

    /// Handles the end of the request: releases the action.
    ///
    /// A later ``attach(_:)`` does nothing.
    func requestEnded() { _ = state.withLock { $0.cancellation.operationEnded() } }

    /// Sets the request that the token cancels, for its description.
    func setRequest(_ request: PluginRequest) { state.withLock { $0.request = request } }

    // MARK: Sending

    /// Whether ``claim()`` has been called.
    var isClaimed: Bool { state.withLock { $0.isClaimed } }

    /// Claims the request for the thread that sends it, or ends it unsent; returns whether this is the first call.
    ///
    /// It releases the action of ``attachUntilClaimed(_:)``.
    func claim() -> Bool {
        let (isFirst, action) = state.withLock { state -> (Bool, CancellationState.Action?) in
            guard !state.isClaimed else { return (false, nil) }
            state.isClaimed = true
            return (true, state.cancellation.detach())
        }
        // The action is released outside of the lock, because that may run code of the application.
        withExtendedLifetime(action) {}
        return isFirst
    }

    /// Sets the action of a request that waits to be mapped, and calls it at once if the token is already cancelled.
    ///
    /// It does nothing after ``claim()``: the thread that has claimed the request attaches another action.
    func attachUntilClaimed(_ action: @escaping @Sendable () -> Void) {
        let isCancelled = state.withLock { !$0.isClaimed && $0.cancellation.attach(action) }
        if isCancelled { action() }
    }
}
