import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What is known of one request, across its tries: the part of it that its plugins, retriers and ``Request`` share.
package final class RequestRecord: Sendable {
    private struct State: Sendable {
        var id: UUID?
        var prepared: URLRequest?
        var request: URLRequest?
        var response: SessionResponse?
        var retryCount = 0
        /// In this try.
        var redirectCount = 0
        var credential: RequestCredential?
        var isCancelled = false
        var onCancel: (@Sendable () -> Void)?
    }

    private let state: Locked<State>

    /// What the request was made from, for interceptors and transports that go by it.
    package let subject: (any Sendable)?

    /// Makes a record of a request that has not begun.
    ///
    /// - Parameters:
    ///   - id: The request's own number, if it has one by now.
    ///   - subject: What the request was made from.
    package init(id: UUID? = nil, subject: (any Sendable)? = nil) {
        state = Locked(State(id: id))
        self.subject = subject
    }

    /// The request's own number, made when it is first asked for.
    package var id: UUID {
        state.withLock { state in
            let id = state.id ?? UUID()
            state.id = id
            return id
        }
    }

    /// The request as it was sent last.
    package var request: URLRequest? { state.withLock { $0.request } }

    /// The head of the last response.
    package var response: SessionResponse? { state.withLock { $0.response } }

    /// How often the request has been repeated.
    package var retryCount: Int { state.withLock { $0.retryCount } }

    /// How often it has been repeated, and how many redirects were followed in this try.
    var counts: (retries: Int, redirects: Int) { state.withLock { ($0.retryCount, $0.redirectCount) } }

    /// What challenges are answered with.
    package var credential: RequestCredential? { state.withLock { $0.credential } }

    /// Whether the request was cancelled.
    package var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Answers challenges with this from now on.
    package func setCredential(_ credential: URLCredential) {
        let credential = RequestCredential(credential)
        state.withLock { $0.credential = credential }
    }

    /// Cancels the request, whatever it is doing.
    package func cancel() {
        let onCancel = state.withLock { state in
            state.isCancelled = true
            defer { state.onCancel = nil }
            return state.onCancel
        }
        onCancel?()
    }

    /// Says how to cancel it, now that it runs.
    func attach(cancel: @escaping @Sendable () -> Void) {
        let isCancelled = state.withLock { state in
            if !state.isCancelled { state.onCancel = cancel }
            return state.isCancelled
        }
        if isCancelled { cancel() }
    }

    /// It is at its end, and what would cancel it is let go of.
    func detach() { state.withLock { $0.onCancel = nil } }

    /// The request of the last try, as it was before any redirect.
    var prepared: URLRequest? { state.withLock { $0.prepared } }

    /// A try begins.
    func prepared(_ request: URLRequest) {
        state.withLock { ($0.prepared, $0.request, $0.response) = (request, request, nil) }
    }

    /// A redirect is followed.
    func redirects() { state.withLock { $0.redirectCount += 1 } }

    /// What goes to where a redirect leads.
    func redirected(to request: URLRequest) { state.withLock { $0.request = request } }

    func received(_ response: SessionResponse) { state.withLock { $0.response = response } }

    func retries() {
        state.withLock { state in
            state.retryCount += 1
            state.redirectCount = 0
        }
    }
}
