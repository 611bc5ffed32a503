import Foundation

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
