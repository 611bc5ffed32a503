import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The context of a request in the pipeline: its ID, target, session and counts.
public struct RequestContext: Sendable {
    /// What is the same for all exchanges of the request.
    // One reference, since a context is copied by many of the stages.
    private final class Request: Sendable {
        let session: Session
        let options: RequestOptions
        let interceptor: Interceptor?
        let bodyHandling: ResponseBodyHandling
        let uploadMeter: ProgressMeter?
        let started = ContinuousClock.now
        let mark: RequestMark?

        init(
            _ session: Session,
            _ options: RequestOptions,
            _ bodyHandling: ResponseBodyHandling,
            _ meter: ProgressMeter?
        ) {
            self.session = session
            self.options = options
            self.bodyHandling = bodyHandling
            uploadMeter = meter
            interceptor =
                switch (session.interceptor, options.interceptor) {
                case (nil, nil): nil
                case (let interceptor?, nil), (nil, let interceptor?): Interceptor(interceptors: [interceptor])
                case (let first?, let second?): Interceptor(interceptors: [first, second])
                }
            mark = session.policies.middleware.isEmpty ? nil : RequestMark()
        }
    }

    private let request: Request
    /// What the pipeline and those who watch the request share.
    package let state: RequestState
    /// Reports to the session's monitors; `nil` if there are none.
    private(set) var events: EventReporter?
    /// The state that the exchanges of the current attempt share.
    var exchanges = ExchangeScope()

    /// The session that sends the request.
    public var session: Session { request.session }

    var options: RequestOptions { request.options }

    /// The session's interceptor and that of the request; `nil` if there is neither.
    var interceptor: Interceptor? { request.interceptor }

    var bodyHandling: ResponseBodyHandling { request.bodyHandling }

    /// Reports the progress of the request's body, in all attempts.
    var uploadMeter: ProgressMeter? { request.uploadMeter }

    var started: ContinuousClock.Instant { request.started }

    /// Marks the responses of the request; `nil` if there is no middleware, which could return the response of another
    /// request.
    var mark: RequestMark? { request.mark }

    /// Creates a context, to test a middleware with.
    ///
    /// - Parameters:
    ///   - id: The request's ID.
    ///   - target: The value that the request is created from.
    ///   - session: The session that sends the request.
    public init(id: UUID = UUID(), target: (any Sendable)? = nil, session: Session) {
        self.init(
            session: session,
            options: RequestOptions(state: RequestState(id: id, target: target)),
            bodyHandling: .collect(progress: nil)
        )
    }

    init(
        session: Session,
        options: RequestOptions,
        bodyHandling: ResponseBodyHandling,
        uploadProgress: ProgressHandler? = nil
    ) {
        request = Request(session, options, bodyHandling, uploadProgress.map { ProgressMeter(report: $0) })
        state = options.state
        events = EventReporter(session.eventMonitors, options.state)
    }

    /// The request's ID, the same in all attempts and after redirects.
    public var id: UUID { state.id }

    /// The value that the request is created from: the target, if a provider sends it.
    public var target: (any Sendable)? { state.target }

    /// The number of retries before the current attempt: 0 for the first attempt.
    public var retryCount: Int { state.counts.retries }

    /// The number of redirects that have been followed in the current attempt.
    public var redirectCount: Int { state.counts.redirects }

    /// Returns the context of an exchange that no monitor is told of, as the request may end before.
    func inBackground() -> RequestContext {
        var context = self
        context.events = nil
        return context
    }

    /// Whether the request's task, or the request, was cancelled.
    var isCancelled: Bool { Task.isCancelled || state.isCancelled }

    /// Returns whether the caller accepts a status.
    func accepts(_ status: Int) -> Bool { options.accepts?(status) ?? true }

    func throwIfCancelled(_ request: OutgoingRequest) throws {
        if isCancelled { throw URLError.cancelled(url: request.urlRequest.url) }
    }

    /// Passes a request through the adapters.
    nonisolated(nonsending) func adapt(_ request: URLRequest) async throws -> URLRequest {
        // The request's ID is created when the adapters' state is.
        guard let interceptor else { return request }
        var adapted = try await interceptor.adapt(request, using: RequestAdapterState(of: state, session: session))
        adapted.removeSupersededHeaders(after: request.allHTTPHeaderFields)
        return adapted
    }
}

/// The state that the exchanges of one attempt share.
struct ExchangeScope: Sendable {
    /// When the first exchange of the attempt began.
    ///
    /// The time limit is for all of them.
    var started = ContinuousClock.now
    var cookies = CookieContext()
    /// Whether the request is, or was, at another origin than the one that it was created for.
    var hasCrossedOrigin = false
}

/// The options of one request, besides the session's settings.
package struct RequestOptions: Sendable {
    /// What the pipeline and those who watch the request share.
    package var state: RequestState
    /// An interceptor that adapts and retries after the session's.
    package var interceptor: (any RequestInterceptor)?
    /// A stage below the adapters, which prepares each attempt.
    package var preparation: (any RequestStage)?
    /// Returns whether a status is accepted.
    ///
    /// To retriers, a status that is not accepted is an error.
    package var accepts: (@Sendable (Int) -> Bool)?
    /// A redirect handler that replaces the session's.
    package var redirectHandler: (any RedirectHandler)?

    /// Creates options.
    package init(
        state: RequestState = RequestState(),
        interceptor: (any RequestInterceptor)? = nil,
        preparation: (any RequestStage)? = nil,
        accepts: (@Sendable (Int) -> Bool)? = nil,
        redirectHandler: (any RedirectHandler)? = nil
    ) {
        self.state = state
        self.interceptor = interceptor
        self.preparation = preparation
        self.accepts = accepts
        self.redirectHandler = redirectHandler
    }
}
