import HTTPTypes

/// A type that decides whether redirects are followed.
///
/// ``Redirector`` is sufficient for most purposes. Implement a handler for other decisions:
///
///     struct SameSite: RedirectHandler {
///         func redirect(_ redirect: Redirect) async throws -> RedirectDecision {
///             redirect.isCrossOrigin ? .stop : .follow
///         }
///     }
///
/// A handler is called before a redirect is checked, so that it can stop at a redirect that is not allowed and read
/// its headers. Its decision is checked afterwards, against the ``options`` and the rules that always apply.
public protocol RedirectHandler: Sendable {
    /// The limits for all redirects.
    var options: RedirectOptions { get }

    /// Decides about a redirect.
    ///
    /// A thrown error fails the request.
    func redirect(_ redirect: Redirect) async throws -> RedirectDecision
}

extension RedirectHandler {
    /// The default limits.
    public var options: RedirectOptions { RedirectOptions() }
}

/// The limits that apply to every redirect, whatever a ``RedirectHandler`` decides.
public struct RedirectOptions: Equatable, Sendable {
    /// The maximum number of redirects in a row.
    ///
    /// Exceeding it fails with `URLError.httpTooManyRedirects`.
    public var maximumCount: Int
    /// Whether an `https` URL may redirect to `http`.
    ///
    /// Otherwise that fails with `URLError.appTransportSecurityRequiresSecureConnection`.
    public var allowsInsecure: Bool
    /// The names of further headers that are not sent to other origins, ignoring case.
    ///
    /// `Authorization`, `Proxy-Authorization`, `Cookie`, `Host`, `Origin` and `Referer` are never sent there. A header whose name
    /// denotes a secret, such as `X-Api-Key`, is sent there only if a handler adds it to the request again.
    public var sensitiveHeaders: Set<String>

    /// Creates options.
    ///
    /// The defaults are URLSession's limit of 20 redirects, and no redirects from `https` to `http`.
    public init(maximumCount: Int = 20, allowsInsecure: Bool = false, sensitiveHeaders: Set<String> = []) {
        self.maximumCount = maximumCount
        self.allowsInsecure = allowsInsecure
        self.sensitiveHeaders = sensitiveHeaders
    }

    /// The sensitive headers that are valid header names.
    var sensitiveNames: Set<HTTPField.Name> { Set(sensitiveHeaders.compactMap { HTTPField.Name($0) }) }
}

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
    /// ``Redirect/source`` has one. A header such as `X-Api-Key` is kept, unless ``RedirectOptions/sensitiveHeaders`` names it.
    case change(to: RedirectRequest)
}
