import Foundation

/// What caused a request, as far as `SameSite` is concerned (RFC 6265bis, section 5.2).
///
/// What an application sends by itself is same-site, whatever the host: there is no page of another site that could
/// have made it do so. A redirect to another site is different: that other site chose the URL. It counts as a top-level
/// navigation, like a link that somebody follows in a browser, so that cookies that are `Lax` or say nothing go along
/// with safe methods, cookies that are `Strict` do not, and all can be set.
public struct CookieContext: Hashable, Sendable {
    /// Whether the site that the request goes to is the one that caused it, or nobody but the application did.
    public var isSameSite: Bool
    /// Whether the request's method is safe (RFC 9110, section 9.2.1).
    public var isSafeMethod: Bool
    /// Whether the request is like one that fills a browser's window, and not like one for a part of a page.
    public var isTopLevelNavigation: Bool

    /// What an application sends by itself, unless the arguments say otherwise.
    public init(isSameSite: Bool = true, isSafeMethod: Bool = true, isTopLevelNavigation: Bool = true) {
        self.isSameSite = isSameSite
        self.isSafeMethod = isSafeMethod
        self.isTopLevelNavigation = isTopLevelNavigation
    }

    /// The request that a redirect leads to.
    ///
    /// - Parameters:
    ///   - source: The URL that answered with the redirect.
    ///   - target: The URL that it leads to.
    ///   - method: The method of the request that follows the redirect.
    ///   - isSameSite: Whether the request that was redirected was same-site. What was caused by another site once is
    ///     so to the end of the chain.
    ///   - publicSuffixes: They say where a site begins.
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
