import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The state of one request, across its attempts: what the pipeline, plugins, retriers and ``Request`` share.
package final class RequestState: Sendable {
    private struct State: Sendable {
        var id: UUID?
        var prepared: URLRequest?
        var request: URLRequest?
        var url: URL?
        var exchange: (request: TransportRequest, scope: ExchangeScope)?
        var response: SessionResponse?
        var failedResponse: SessionResponse?
        var retryCount = 0
        var retriedOutcome: RequestAttempt.Outcome?
        var redirectCount = 0
        var credential: RequestCredential?
        var accepts: (@Sendable (Int) -> Bool)?
        var cancellation = CancellationState()

        func response(_ response: TransportResponse, to request: URLRequest, data: Data) -> SessionResponse {
            SessionResponse(
                request: prepared ?? request,
                url: url,
                statusCode: response.status,
                headers: response.headers,
                data: data,
                trailers: response.trailers,
                source: response.source,
                info: response.info
            )
        }
    }

    private let state: Locked<State>

    /// The value that the request is created from, for middleware, interceptors and transports.
    package let target: (any Sendable)?

    /// Creates the state of a request that has not begun.
    ///
    /// - Parameters:
    ///   - id: The request's ID; `nil` to create one when it is first read.
    ///   - target: The value that the request is created from.
    package init(id: UUID? = nil, target: (any Sendable)? = nil) {
        state = Locked(State(id: id))
        self.target = target
    }

    /// The request's ID, created when it is first read.
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

    /// The response that the last attempt failed with, and what had arrived of its body.
    package var failedResponse: SessionResponse? { state.withLock { $0.failedResponse } }

    /// The URL of the last exchange of the current attempt.
    var url: URL? { state.withLock { $0.url } }

    /// The number of retries.
    package var retryCount: Int { counts.retries }

    /// The outcome of the previous attempt, after which the request is retried; `nil` in the first attempt.
    package var retriedOutcome: RequestAttempt.Outcome? { state.withLock { $0.retriedOutcome } }

    /// The number of retries, and of redirects that were followed in the current attempt.
    var counts: (retries: Int, redirects: Int) { state.withLock { ($0.retryCount, $0.redirectCount) } }

    /// The credential that challenges are answered with.
    package var credential: RequestCredential? { state.withLock { $0.credential } }

    /// Whether the request was cancelled.
    package var isCancelled: Bool { state.withLock { $0.cancellation.isCancelled } }

    /// Sets the credential that challenges are answered with from now on.
    package func setCredential(_ credential: URLCredential) {
        let credential = RequestCredential(credential)
        state.withLock { $0.credential = credential }
    }

    /// Returns whether a status is accepted; `nil` to accept every one.
    package var accepts: (@Sendable (Int) -> Bool)? { state.withLock { $0.accepts } }

    /// Sets the function that returns whether a status is accepted.
    ///
    /// It is read when the request starts.
    package func setAccepts(_ accepts: @escaping @Sendable (Int) -> Bool) { state.withLock { $0.accepts = accepts } }

    /// Cancels the request in any state.
    package func cancel() {
        let action = state.withLock { $0.cancellation.cancel() }
        action?()
    }

    /// Sets the function that cancels the request, and calls it if the request is cancelled already.
    func attach(cancel: @escaping @Sendable () -> Void) {
        let isCancelled = state.withLock { $0.cancellation.attach(cancel) }
        if isCancelled { cancel() }
    }

    /// Releases the function that cancels the request, which has ended.
    func detach() { _ = state.withLock { $0.cancellation.detach() } }

    /// The request of the last attempt, as it was before any redirect.
    var prepared: URLRequest? { state.withLock { $0.prepared } }

    /// The last exchange, for requests that may continue it: without what authentication and cookies have added.
    var exchange: (request: TransportRequest, scope: ExchangeScope)? { state.withLock { $0.exchange } }

    // MARK: Reports of the stages

    func attemptBegins() { state.withLock { ($0.url, $0.failedResponse, $0.redirectCount) = (nil, nil, 0) } }

    func prepared(_ request: URLRequest) {
        state.withLock { ($0.prepared, $0.request, $0.response) = (request, request, nil) }
    }

    func followsRedirect() { state.withLock { $0.redirectCount += 1 } }

    func redirected(to request: URLRequest) { state.withLock { $0.request = request } }

    /// Records that the redirect stage passes a request on.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - scope: The state that the exchanges of the attempt share; `nil` if none of them can be continued.
    func sends(_ request: TransportRequest, in scope: ExchangeScope?) {
        // The exchange before is released outside of the lock: its body is code of the application.
        var exchange = scope.map { (request: request, scope: $0) }
        state.withLock { state in
            state.url = request.url
            if exchange != nil { swap(&state.exchange, &exchange) }
        }
    }

    /// Records the head of a response.
    func received(_ response: TransportResponse, to request: URLRequest) {
        state.withLock { $0.response = $0.response(response, to: request, data: Data()) }
    }

    func failed(with response: SessionResponse) { state.withLock { $0.failedResponse = response } }

    func retries(after outcome: RequestAttempt.Outcome) {
        state.withLock { state in
            state.retryCount += 1
            state.retriedOutcome = outcome
        }
    }
}

extension RequestState {
    /// Creates the response for the caller from a response of the pipeline.
    ///
    /// - Parameters:
    ///   - response: The response at the top of the pipeline, or the head of one.
    ///   - request: The request as it was created, for a response that came without one being sent.
    ///   - data: The response's body.
    /// - Returns: The response.
    func response(_ response: TransportResponse, to request: URLRequest, data: Data = Data()) -> SessionResponse {
        state.withLock { $0.response(response, to: request, data: data) }
    }
}
