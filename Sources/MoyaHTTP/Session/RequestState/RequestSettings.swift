/// The settings of one request, which are constant while it runs: one part of its ``RequestContext``.
///
/// They are the caller's. The session adds its interceptor when the request begins: ``RequestContext/interceptor``.
package struct RequestSettings: Sendable {
    /// The value that the request is created from, for middleware, interceptors and transports.
    let target: (any Sendable)?
    // Optional values are constants, because an initializer would destroy the `nil` of each optional variable.
    /// The interceptor of the request, which follows the session's.
    let interceptor: (any RequestInterceptor)?
    /// Prepares the request of each attempt, after the adapters.
    let preparation: (any RequestPreparation)?
    /// Returns whether a status is accepted.
    ///
    /// To retriers, a status that is not accepted is an error. The body of such a response is read into memory.
    package var isAccepted: @Sendable (_ status: Int) -> Bool
    /// A redirect handler that replaces the session's.
    let redirectHandler: (any RedirectHandler)?
    /// The timeouts that replace the session's; `nil` if none is set.
    let timeouts: RequestTimeouts?
    /// The choice of the retrier.
    let retryChoice: RetryChoice
    /// The keys that replace the session's, for each method that is not idempotent; `nil` for the session's.
    let idempotencyKeys: IdempotencyKeys?
    /// Measures the progress of the request's body; `nil` if nothing reports it.
    ///
    /// All attempts and exchanges share it.
    let uploadMeter: ProgressMeter?

    /// Creates settings.
    ///
    /// By default, every status is accepted. `uploadProgress` is called as the transport reads the request's body to send it, at a
    /// limited rate.
    package init(
        target: (any Sendable)? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        preparation: (any RequestPreparation)? = nil,
        isAccepted: @escaping @Sendable (_ status: Int) -> Bool = { _ in true },
        redirectHandler: (any RedirectHandler)? = nil,
        timeouts: RequestTimeouts? = nil,
        retryChoice: RetryChoice = .inherited,
        idempotencyKeys: IdempotencyKeys? = nil,
        uploadProgress: ProgressHandler? = nil
    ) {
        self.target = target
        self.interceptor = interceptor
        self.preparation = preparation
        self.isAccepted = isAccepted
        self.redirectHandler = redirectHandler
        self.timeouts = timeouts
        self.retryChoice = retryChoice
        self.idempotencyKeys = idempotencyKeys
        uploadMeter = uploadProgress.map { ProgressMeter(report: $0) }
    }
}
