import Foundation

/// The record of one request across its attempts, which the pipeline, plugins, retriers and ``Request`` share: one part of
/// its ``RequestContext``.
package final class RequestRecord: Sendable {
    /// An exchange of the request, as the redirect stage has passed it on.
    typealias SentExchange = (request: TransportRequest, scope: AttemptScope)

    private struct State: Sendable {
        var id: UUID?
        var originalRequest: URLRequest?
        var currentRequest: URLRequest?
        var currentURL: URL?
        var lastExchange: SentExchange?
        var response: SessionResponse?
        var failedResponse: SessionResponse?
        var retryCount = 0
        var retriedOutcome: RequestAttempt.Outcome?
        var redirectCount = 0
        var retryAccounts: [ObjectIdentifier: RetryAccount] = [:]
        var mayHaveArrived = false
        var usedTotalTime = Duration.zero
        var credential: RequestCredential?
        var cancellation = CancellationState()
        var metrics: RequestMetricsRecorder?
        var exchangeCount = 0
        var expiredLimit: RequestTimeoutError?

        func makeResponse(_ response: TransportResponse, to request: URLRequest, data: Data) -> SessionResponse {
            var made = SessionResponse(
                request: originalRequest ?? request,
                url: currentURL,
                statusCode: response.status,
                fields: response.fields,
                data: data,
                trailers: response.trailers,
                source: response.source,
                info: response.info
            )
            if let metrics { made.metricsSource = metrics }
            return made
        }
    }

    private let state: InlineLocked<State>

    /// Creates the record of a request that has not begun.
    ///
    /// - Parameter id: The request's ID; `nil` to create one when it is first read.
    package init(id: UUID? = nil) { state = InlineLocked(State(id: id)) }

    /// The request's ID, created when it is first read.
    package var id: UUID {
        state.withLock { state in
            let id = state.id ?? UUID()
            state.id = id
            return id
        }
    }

    /// The request of the last attempt that adapters and plugins have passed on, as they have made it, before any redirect.
    var originalRequest: URLRequest? { state.withLock { $0.originalRequest } }

    /// The request of the last exchange, after all redirects, without cookies and credentials of the session.
    package var currentRequest: URLRequest? { state.withLock { $0.currentRequest } }

    /// The URL of the last exchange of the current attempt.
    package var currentURL: URL? { state.withLock { $0.currentURL } }

    /// The last exchange, for requests that may continue it, without the fields of authentication and cookies.
    var lastExchange: SentExchange? { state.withLock { $0.lastExchange } }

    /// The head of the current attempt's response; `nil` until it has arrived.
    package var response: SessionResponse? { state.withLock { $0.response } }

    /// The response that the last attempt failed with, and the part of its body that arrived.
    package var failedResponse: SessionResponse? { state.withLock { $0.failedResponse } }

    /// The number of retries.
    package var retryCount: Int { counts.retries }

    /// The number of retries, and of redirects that were followed in the current attempt.
    package var counts: (retries: Int, redirects: Int) { state.withLock { ($0.retryCount, $0.redirectCount) } }

    /// Whether a server may have received the request in an exchange that another one has followed.
    ///
    /// Exchanges that a server has answered with a challenge do not count.
    var mayHaveArrived: Bool { state.withLock { $0.mayHaveArrived } }

    /// The part of the total time that requests to other base URLs have used.
    var usedTotalTime: Duration { state.withLock { $0.usedTotalTime } }

    /// The outcome of the previous attempt, after which the request is retried; `nil` in the first attempt.
    package var retriedOutcome: RequestAttempt.Outcome? { state.withLock { $0.retriedOutcome } }

    /// Creates the response for the caller from a response of the pipeline.
    ///
    /// - Parameters:
    ///   - response: The response at the top of the pipeline, or the head of one.
    ///   - request: The request as it was created; used if a middleware returned the response and no request was sent.
    ///   - data: The response's body.
    /// - Returns: The response.
    func makeResponse(
        _ response: TransportResponse,
        to request: URLRequest,
        data: Data = Data()
    ) -> SessionResponse {
        state.withLock { $0.makeResponse(response, to: request, data: data) }
    }

    /// The metrics of the request so far; `nil` if nobody asks for them.
    package var metrics: RequestMetrics? { state.withLock { $0.metrics }?.metrics }

    /// Sets the recorder of the request's metrics, of which the responses make use.
    func setMetrics(_ recorder: RequestMetricsRecorder) { state.withLock { $0.metrics = recorder } }

    // MARK: Facts that stages record

    /// Begins an attempt, and removes the URL, the responses and the redirects of the previous one.
    func beginAttempt() {
        state.withLock { state in
            (state.currentURL, state.response, state.failedResponse, state.redirectCount) = (nil, nil, nil, 0)
            state.expiredLimit = nil
        }
    }

    /// Records the request of an attempt, before any redirect.
    func recordRequest(_ request: URLRequest) {
        state.withLock { ($0.originalRequest, $0.currentRequest) = (request, request) }
    }

    /// Records the URL of an exchange that the redirect stage passes on.
    func recordCurrentURL(_ url: URL) { state.withLock { $0.currentURL = url } }

    /// Records that the current exchange is sent to another URL than the redirect stage has passed on.
    func recordHTTPSUpgrade(to url: URL) {
        state.withLock { state in
            state.currentURL = url
            state.currentRequest?.url = url
        }
    }

    /// Records an exchange that the redirect stage passes on, and that a later request may continue.
    func recordExchange(_ request: TransportRequest, in scope: AttemptScope) {
        // The previous exchange is released outside of the lock, because its body may be code of the application.
        var exchange: SentExchange? = (request, scope)
        state.withLock { swap(&$0.lastExchange, &exchange) }
    }

    /// Records that a redirect is followed.
    func recordRedirect() {
        state.withLock { state in
            state.redirectCount += 1
            state.mayHaveArrived = true
        }
    }

    /// Records the request that follows a redirect.
    func recordCurrentRequest(_ request: URLRequest) { state.withLock { $0.currentRequest = request } }

    /// Records the head of a response.
    func recordResponse(_ response: TransportResponse, to request: URLRequest) {
        state.withLock { $0.response = $0.makeResponse(response, to: request, data: Data()) }
    }

    /// Records the response that goes with the error of an attempt.
    func recordFailedResponse(_ response: SessionResponse) { state.withLock { $0.failedResponse = response } }

    /// Records the head of the response as the response of the error, unless a response with a part of its body is recorded.
    func recordHeadAsFailedResponse() { state.withLock { $0.failedResponse = $0.failedResponse ?? $0.response } }

    /// Records that the request is retried.
    func recordRetry(after outcome: RequestAttempt.Outcome) {
        let mayHaveArrived =
            if case .failure(let error) = outcome { RequestDelivery(after: error).mayHaveArrived } else { true }
        state.withLock { state in
            state.retryCount += 1
            state.retriedOutcome = outcome
            if mayHaveArrived { state.mayHaveArrived = true }
        }
    }

    // MARK: Instruments

    /// The number of exchanges that instruments have observed.
    package var exchangeCount: Int { state.withLock { $0.exchangeCount } }

    /// Counts an exchange, and returns the number of those before it.
    func countExchange() -> Int {
        state.withLock { state in
            defer { state.exchangeCount += 1 }
            return state.exchangeCount
        }
    }

    /// The time limit that has cancelled the exchanges of the current attempt; `nil` if none has.
    var expiredLimit: RequestTimeoutError? { state.withLock { $0.expiredLimit } }

    /// Records that a time limit cancels the exchanges of the current attempt.
    func recordExpiry(of limit: RequestTimeoutError) { state.withLock { $0.expiredLimit = limit } }

    // MARK: Retry budgets

    /// Returns the request's entries in a retry budget.
    func retryAccount(in budget: ObjectIdentifier) -> RetryAccount {
        state.withLock { $0.retryAccounts[budget] ?? RetryAccount() }
    }

    /// Sets the request's entries in a retry budget.
    func setRetryAccount(_ account: RetryAccount, in budget: ObjectIdentifier) {
        state.withLock { $0.retryAccounts[budget] = account }
    }

    // MARK: Fallbacks

    /// Records that a server may have received the request, which is sent again.
    func recordPossibleArrival() { state.withLock { $0.mayHaveArrived = true } }

    /// Records that a request to one base URL has used a part of the total time.
    func recordUsedTotalTime(_ time: Duration) { state.withLock { $0.usedTotalTime += time } }

    // MARK: Credential

    /// The credential that challenges are answered with.
    package var credential: RequestCredential? { state.withLock { $0.credential } }

    /// Sets the credential that challenges are answered with from now on.
    package func setCredential(_ credential: URLCredential) {
        let credential = RequestCredential(credential)
        state.withLock { $0.credential = credential }
    }

    // MARK: Cancellation

    /// Whether the request was cancelled.
    package var isCancelled: Bool { state.withLock { $0.cancellation.isCancelled } }

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

    /// Handles the end of the request: releases the function that cancels it.
    func requestEnded() { _ = state.withLock { $0.cancellation.operationEnded() } }
}
