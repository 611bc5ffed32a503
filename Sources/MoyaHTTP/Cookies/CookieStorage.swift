import Foundation

/// Where a session gets cookies from and puts them: a ``CookieJar``, Foundation's through ``FoundationCookieStorage``,
/// or one of your own.
///
/// The session asks before each request, redirects included, unless the request's `httpShouldHandleCookies` is false or
/// it has a `Cookie` header already, and tells of each response. Both must be quick: they are called on the way of
/// every request.
public protocol CookieStorage: Sendable {
    /// The value of the `Cookie` header for a request, or `nil` if there is no cookie for it.
    ///
    /// - Parameters:
    ///   - url: Where the request goes.
    ///   - context: What caused it.
    func cookieHeader(for url: URL, context: CookieContext) -> String?

    /// Keeps the cookies of a response. What breaks the rules is ignored.
    ///
    /// - Parameters:
    ///   - fields: The values of its `Set-Cookie` headers, each by itself: they must not be joined by commas (RFC 9110,
    ///     section 5.3).
    ///   - url: The URL of the request that was answered.
    ///   - context: What caused that request.
    func store(setCookie fields: [String], from url: URL, context: CookieContext)
}
