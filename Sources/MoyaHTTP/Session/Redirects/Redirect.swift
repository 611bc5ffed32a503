import HTTPTypes

/// A redirect that a server asks for, and what following it would mean: what a ``RedirectHandler`` decides by.
public struct Redirect: Sendable {
    /// The response's status: 301, 302, 303, 307 or 308.
    public let status: Int
    /// The response's headers.
    public let headers: HTTPFields
    /// The request that was redirected.
    public let source: RedirectRequest
    /// The request that would follow, after all rules: without a body where the status says so, without what must not cross
    /// an origin.
    public let request: RedirectRequest
    /// Whether ``request`` goes to another origin than the first request of all, or came through one.
    public let isCrossOrigin: Bool
    /// The number of this redirect: 1 for the first.
    public let count: Int

    /// Makes a redirect, to test a handler with.
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

/// What a ``RedirectHandler`` says.
public enum RedirectDecision: Equatable, Sendable {
    /// Send ``Redirect/request``.
    case follow
    /// Leave it at that: the redirecting response is the answer.
    case stop
    /// Send this request instead. All rules hold for it, too: to another origin it goes without credentials, and it has a
    /// body only if ``Redirect/source`` has one.
    case change(to: RedirectRequest)
}
