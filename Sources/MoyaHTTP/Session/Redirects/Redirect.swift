import HTTPTypes

/// A redirect, by which a ``RedirectHandler`` decides.
public struct Redirect: Sendable {
    /// The status of the response: 301, 302, 303, 307 or 308.
    public let status: Int
    /// The headers of the response.
    public let headers: HTTPFields
    /// The request that was redirected.
    public let source: RedirectRequest
    /// The request that follows the redirect.
    ///
    /// All rules have been applied: it has no body if the status requires it, and no headers that must not be sent
    /// to another origin.
    public let request: RedirectRequest
    /// Whether ``request`` goes to another origin than the first request, or a previous redirect did.
    public let isCrossOrigin: Bool
    /// The number of this redirect: 1 for the first.
    public let count: Int

    /// Creates a redirect, to test a handler.
    public init(
        status: Int,
        headers: HTTPFields = [:],
        source: RedirectRequest,
        request: RedirectRequest,
        isCrossOrigin: Bool = false,
        count: Int = 1
    ) {
        self.status = status
        self.headers = headers
        self.source = source
        self.request = request
        self.isCrossOrigin = isCrossOrigin
        self.count = count
    }
}

/// The decision of a ``RedirectHandler``.
public enum RedirectDecision: Equatable, Sendable {
    /// Send ``Redirect/request``.
    case follow
    /// Do not follow the redirect: return the redirect response.
    case stop
    /// Send this request instead.
    ///
    /// All rules apply to it: it is sent to another origin without credentials, and has a body only if
    /// ``Redirect/source`` has one.
    case change(to: RedirectRequest)
}
