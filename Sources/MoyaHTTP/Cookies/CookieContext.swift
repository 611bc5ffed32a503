import Foundation

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
            isSafeMethod: [.get, .head, .options, .trace].contains(method)
        )
    }
}
