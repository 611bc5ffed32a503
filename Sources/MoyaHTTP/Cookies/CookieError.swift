import Foundation

/// Why a cookie is not kept.
///
/// ``CookieJar/set(_:)`` throws it. Cookies of servers are ignored without a word, as RFC 6265bis has it.
public enum CookieError: Error, Hashable, Sendable {
    /// There is no host in the URL, or none that can have cookies.
    case noHost
    /// Both the name and the value are empty.
    case empty
    /// There is a control character in it.
    case controlCharacter
    /// Name and value have more than 4096 bytes together, or the path or the domain more than 1024.
    case tooLong
    /// There is a character in the name, the value or the path that would be read as the end of it: a semicolon, an
    /// equals sign in the name, a space at an end. Or the path does not begin with a slash, or a time is not finite.
    case malformed
    /// The domain is no host name.
    case invalidDomain
    /// The host of the URL is not in the domain.
    case foreignDomain
    /// The domain is a public suffix, such as `com` or `co.uk`: the cookie would go to everybody's hosts.
    case publicSuffix
    /// The cookie is to be secure, but the connection is not.
    case insecureConnection
    /// It came over a connection that is not secure, and would be taken for a secure one that is there.
    case shadowsSecureCookie
    /// Another site caused the request, and it was no navigation.
    case crossSite
    /// `SameSite=None` without `Secure`.
    case sameSiteNoneNotSecure
    /// The name begins with `__Secure-`, but the cookie is not secure.
    case securePrefix
    /// The name begins with `__Host-`, but the cookie is not secure, not for one host only, or has another path than
    /// `/`.
    case hostPrefix
}

extension CookieError: LocalizedError {
    /// What is wrong and what to do about it.
    public var errorDescription: String? {
        let reason =
            switch self {
            case .noHost: "the URL has no host. Use an http or https URL with one."
            case .empty: "it has neither a name nor a value. Give it a name."
            case .controlCharacter: "there is a control character in it. Encode the value, for example in Base64."
            case .tooLong: "name and value may have 4096 bytes together, domain and path 1024 each. Make it shorter."
            case .malformed:
                "a semicolon, an equals sign in the name, or a space at an end would change its meaning, the path has "
                    + "to begin with a slash, and times have to be finite. Encode the value, for example in Base64."
            case .invalidDomain:
                "its domain is no host name. Write it in lower case, without a dot at its beginning, and as A-labels."
            case .foreignDomain: "its domain is not that of the URL. A host can set cookies for itself and its domains."
            case .publicSuffix:
                "its domain is a public suffix, below which anybody can have a host. Name a domain of yours."
            case .insecureConnection: "it is marked as secure, but came over a connection that is not. Use https."
            case .shadowsSecureCookie:
                "a secure cookie of that name is there, and this one came over a connection that is not. Use https."
            case .crossSite: "another site caused the request, which was no navigation. Mark it as SameSite=None."
            case .sameSiteNoneNotSecure: "SameSite=None needs Secure. Mark it as secure."
            case .securePrefix: "the prefix __Secure- needs Secure. Mark it as secure, or change the name."
            case .hostPrefix: "the prefix __Host- needs Secure, the path /, and no domain. Change these, or the name."
            }
        return "The cookie is not kept: \(reason)"
    }
}
