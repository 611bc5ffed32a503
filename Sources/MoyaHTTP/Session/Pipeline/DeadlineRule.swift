import Foundation

/// Decides whether a deadline is enough to end a request when its total time is over: it is unless a stage below
/// ``TotalTimeStage`` calls asynchronous code that may wait without looking at the deadline, which is code of the application, a store
/// on disk or a download.
struct DeadlineRule: Sendable {
    /// Whether the parts of the session look at the deadline.
    private let isSessionTimed: Bool

    init(_ settings: SessionSettings, _ transport: SessionTransport) {
        isSessionTimed =
            transport.isTimed
            // A deadline is a time of this clock, like the timeouts of a transport.
            && settings.ownTime == nil
            && settings.exchangeMiddleware.isEmpty
            && (settings.cache.map { $0.memoryStore != nil } ?? true)
            && Self.returnsAtOnce(settings.redirectHandler)
            && (settings.retryingInterceptor.map { Self.returnsAtOnce($0) } ?? true)
    }

    /// Returns whether all code below looks at the deadline of a request.
    func applies(to request: UncheckedRequest, _ context: RequestContext) -> Bool {
        guard isSessionTimed, case .collect = context.bodyHandling else { return false }
        if let interceptor = context.settings.interceptor, !Self.returnsAtOnce(interceptor) { return false }
        if let retrier = context.settings.retryChoice.retrier, !Self.returnsAtOnce(retrier) { return false }
        if let redirectHandler = context.settings.redirectHandler, !Self.returnsAtOnce(redirectHandler) { return false }
        // The answer to a challenge may contain a hash of the body, which has to be read for it.
        guard let body = request.body else { return request.urlRequest.httpBodyStream == nil }
        return body.data != nil
    }

    /// Returns whether the functions of an adapter, a retrier or a redirect handler are known to return without a wait.
    static func returnsAtOnce(_ part: any Sendable) -> Bool {
        switch part {
        case is any PromptInterceptor: true
        case let interceptor as Interceptor:
            interceptor.adapters.allSatisfy { returnsAtOnce($0) }
                && interceptor.retriers.allSatisfy { returnsAtOnce($0) }
        case let redirector as Redirector: if case .modify = redirector.behavior { false } else { true }
        default: false
        }
    }
}
