import Foundation
import HTTPTypes
@_exported import MoyaPublicSuffixList

/// A storage for the cookies of a session: a ``CookieJar``, a ``FoundationCookieStorage``, or a custom type.
///
/// The session gets the header before each request, including redirects, unless the request's
/// `httpShouldHandleCookies` is false or it already has a `Cookie` header. It stores the cookies of each response.
/// The methods must be fast, since they are part of every request.
///
/// Field values are bytes, which need not be UTF-8 (RFC 9110, section 5.5). A storage that implements
/// ``cookieField(for:context:)`` and ``store(setCookieFields:from:context:)`` can return the bytes that it received;
/// the session calls these, whose default implementations call the methods with strings.
public protocol CookieStorage: Sendable {
    /// Returns the value of the `Cookie` header for a request, or `nil` if there are no cookies for it.
    ///
    /// - Parameters:
    ///   - url: The URL of the request.
    ///   - context: The circumstances of the request.
    /// - Returns: The header value, if any.
    func cookieHeader(for url: URL, context: CookieContext) -> String?

    /// Stores the cookies of a response.
    ///
    /// Invalid cookies are ignored.
    ///
    /// - Parameters:
    ///   - fields: The values of the `Set-Cookie` headers, which must not be joined by commas (RFC 9110, section
    ///     5.3).
    ///   - url: The URL of the request.
    ///   - context: The circumstances of the request.
    func store(setCookie fields: [String], from url: URL, context: CookieContext)

    /// Returns the `Cookie` field for a request, or `nil` if there are no cookies for it.
    ///
    /// - Parameters:
    ///   - url: The URL of the request.
    ///   - context: The circumstances of the request.
    /// - Returns: The field, if any.
    func cookieField(for url: URL, context: CookieContext) -> HTTPField?

    /// Stores the cookies of a response.
    ///
    /// Invalid cookies are ignored.
    ///
    /// - Parameters:
    ///   - fields: The `Set-Cookie` fields.
    ///   - url: The URL of the request.
    ///   - context: The circumstances of the request.
    func store(setCookieFields fields: [HTTPField], from url: URL, context: CookieContext)
}

extension CookieStorage {
    /// Returns the value that ``cookieHeader(for:context:)`` returns, in UTF-8.
    public func cookieField(for url: URL, context: CookieContext) -> HTTPField? {
        cookieHeader(for: url, context: context).map { HTTPField(name: .cookie, value: $0) }
    }

    /// Calls ``store(setCookie:from:context:)`` with the values as UTF-8, or as ISO 8859-1 if they are not valid UTF-8.
    public func store(setCookieFields fields: [HTTPField], from url: URL, context: CookieContext) {
        store(setCookie: fields.map(\.text), from: url, context: context)
    }
}

/// The circumstances of a request that matter to `SameSite` (RFC 6265bis, section 5.2).
///
/// Requests of the application are same-site, whatever the host: no page of another site has caused them. A
/// redirect to another site is cross-site, since the redirecting site selected the URL. It counts as a top-level
/// navigation, like a link in a browser: `Lax` and unspecified cookies are sent with safe methods, `Strict` cookies
/// are not sent, and all cookies can be set.
public struct CookieContext: Hashable, Sendable {
    /// Whether the request was caused by the application or by the site that receives it.
    public var isSameSite: Bool
    /// Whether the method is safe (RFC 9110, section 9.2.1).
    public var isSafeMethod: Bool
    /// Whether the request is a navigation, rather than a subresource of a page.
    public var isTopLevelNavigation: Bool

    /// Creates a context; the defaults are for a request of the application.
    public init(isSameSite: Bool = true, isSafeMethod: Bool = true, isTopLevelNavigation: Bool = true) {
        self.isSameSite = isSameSite
        self.isSafeMethod = isSafeMethod
        self.isTopLevelNavigation = isTopLevelNavigation
    }

    /// Returns the context of the request that follows a redirect.
    ///
    /// - Parameters:
    ///   - source: The URL of the redirect response.
    ///   - target: The URL of the following request.
    ///   - method: The method of the following request.
    ///   - isSameSite: Whether the redirected request was same-site. A cross-site request remains cross-site for
    ///     the rest of the chain.
    ///   - publicSuffixes: The list that determines the sites.
    /// - Returns: The context.
    public static func redirect(
        from source: URL,
        to target: URL,
        method: HTTPMethod,
        isSameSite: Bool = true,
        publicSuffixes: PublicSuffixList = .bundled
    ) -> CookieContext {
        CookieContext(
            isSameSite: isSameSite && publicSuffixes.isSameSite(source, target),
            isSafeMethod: method.isSafe
        )
    }
}

/// The limits on the number, size and lifetime of cookies (RFC 6265bis, sections 5.5, 5.7 and 6.1).
///
/// The size of a cookie is fixed: 4096 bytes for name and value, 1024 bytes each for domain and path.
public struct CookieLimits: Hashable, Sendable {
    /// The maximum number of cookies per domain.
    ///
    /// Cookies that are not secure are removed first, then the least recently sent.
    public var cookiesPerDomain: Int
    /// The maximum number of cookies.
    ///
    /// The least recently sent cookies are removed.
    public var cookies: Int
    /// The maximum size of a `Cookie` header in bytes.
    ///
    /// Cookies that do not fit are not sent, those with the shortest paths first, but are kept. The default of 8
    /// KiB is the limit of most servers.
    public var headerSize: Int
    /// The maximum lifetime in seconds; longer ones are reduced.
    ///
    /// The default is 400 days.
    public var lifetime: TimeInterval

    /// Creates limits.
    ///
    /// The standard requires at least 50 cookies per domain, and 3000 cookies in total.
    public init(
        cookiesPerDomain: Int = 50,
        cookies: Int = 3000,
        headerSize: Int = 8192,
        lifetime: TimeInterval = 34_560_000
    ) {
        self.cookiesPerDomain = max(cookiesPerDomain, 0)
        self.cookies = max(cookies, 0)
        self.headerSize = max(headerSize, 0)
        self.lifetime = lifetime.isNaN ? 0 : max(lifetime, 0)
    }
}
