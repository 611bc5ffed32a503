import Foundation

/// How many cookies are kept, and for how long (RFC 6265bis, sections 5.5, 5.7 and 6.1).
///
/// What one cookie may be is fixed: 4096 bytes of name and value, 1024 bytes each of domain and path.
public struct CookieLimits: Hashable, Sendable {
    /// How many cookies one domain can have, at most. Cookies that are not secure make room first, then those that have
    /// not been sent for the longest time.
    public var cookiesPerDomain: Int
    /// How many cookies there can be, at most. Those that have not been sent for the longest time make room.
    public var cookies: Int
    /// How many bytes the `Cookie` header of a request can have, at most. Cookies that do not fit are kept and left out,
    /// those with the shortest paths first: 8 KiB unless it is changed, which is what most servers accept.
    public var headerSize: Int
    /// For how many seconds a cookie can live, at most; a longer life is shortened. 400 days unless it is changed.
    public var lifetime: TimeInterval

    /// Makes limits. The standard requires room for at least 50 cookies of a domain, and for 3000 altogether.
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
