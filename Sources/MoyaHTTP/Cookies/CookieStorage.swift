import Foundation

/// A storage for the cookies of a session: a ``CookieJar``, a ``FoundationCookieStorage``, or a custom type.
///
/// The session gets the header before each request, including redirects, unless the request's
/// `httpShouldHandleCookies` is false or it already has a `Cookie` header. It stores the cookies of each response.
/// Both methods must be fast, since they are part of every request.
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
}
