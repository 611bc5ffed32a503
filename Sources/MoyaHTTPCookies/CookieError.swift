import Foundation

/// The reason why a cookie is rejected.
///
/// It is thrown by ``CookieJar/set(_:)``. Invalid cookies of servers are ignored silently, as RFC 6265bis requires.
public enum CookieError: Error, Hashable, Sendable {
    /// The URL has no host, or one that cannot have cookies.
    case noHost
    /// Name and value are both empty.
    case empty
    /// The cookie contains a control character.
    case controlCharacter
    /// Name and value together exceed 4096 bytes, or the path or the domain exceeds 1024 bytes.
    case tooLong
    /// A character would change the meaning of the cookie: a semicolon, an equals sign in the name, or leading or
    /// trailing whitespace.
    ///
    /// Also, a path that does not start with a slash, or a time that is not finite.
    case malformed
    /// The domain is not a host name.
    case invalidDomain
    /// The host of the URL is not in the domain.
    case foreignDomain
    /// The domain is a public suffix, such as `com` or `co.uk`, whose hosts belong to different owners.
    case publicSuffix
    /// The cookie is secure, but the connection is not.
    case insecureConnection
    /// The connection is not secure, and the cookie could be mistaken for an existing secure cookie.
    case shadowsSecureCookie
    /// Another site caused the request, which was not a navigation.
    case crossSite
    /// The cookie has `SameSite=None` without `Secure`.
    case sameSiteNoneNotSecure
    /// The name starts with `__Secure-`, but the cookie is not secure.
    case securePrefix
    /// The name starts with `__Host-`, but the cookie is not secure, not host-only, or has a path other than `/`.
    case hostPrefix
}

extension CookieError: MaskedError {
    /// A sentence that describes the problem and a remedy.
    public var errorDescription: String? {
        let reason =
            switch self {
            case .noHost: "the URL has no host. Use an http or https URL with one."
            case .empty: "it has neither a name nor a value. Give it a name."
            case .controlCharacter: "it contains a control character. Encode the value, for example in Base64."
            case .tooLong: "name and value may have 4096 bytes together, domain and path 1024 each. Make it shorter."
            case .malformed:
                "a semicolon, an equals sign in the name, or a space at an end would change its meaning, the path must "
                    + "begin with a slash, and times must be finite. Encode the value, for example in Base64."
            case .invalidDomain:
                "its domain is not a host name. Write it in lowercase, without a leading dot, and as A-labels."
            case .foreignDomain: "its domain is not that of the URL. A host can set cookies for itself and its domains."
            case .publicSuffix:
                "its domain is a public suffix, whose subdomains have different owners. Use a registered domain."
            case .insecureConnection: "it is marked as secure, but the connection is not secure. Use https."
            case .shadowsSecureCookie:
                "a secure cookie with that name exists, but the connection is not secure. Use https."
            case .crossSite: "another site caused the request, which was not a navigation. Mark it as SameSite=None."
            case .sameSiteNoneNotSecure: "SameSite=None requires Secure. Mark it as secure."
            case .securePrefix: "the prefix __Secure- requires Secure. Mark it as secure, or change the name."
            case .hostPrefix: "the prefix __Host- requires Secure, path / and no domain. Change these, or the name."
            }
        return "The cookie is rejected: \(reason)"
    }
}
