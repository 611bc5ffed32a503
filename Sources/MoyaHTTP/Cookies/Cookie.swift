import Foundation

/// A cookie, with the fields that a client keeps of it (RFC 6265bis, section 5.7).
///
/// Servers make them with `Set-Cookie`, which a ``CookieJar`` reads. Make one yourself to give it to
/// ``CookieJar/set(_:)``, which checks it. Its descriptions leave the value out, because it may be a credential.
public struct Cookie: Equatable, Hashable, Sendable {
    /// Whether a cookie is sent with a request that another site caused (RFC 6265bis, section 5.6.7).
    public enum SameSite: String, Hashable, Sendable {
        /// Never.
        case strict
        /// If the method is a safe one, such as GET.
        case lax
        /// Always. The cookie has to be ``Cookie/isSecure`` then.
        case none
        /// The server did not say; it is treated like ``lax``.
        case unspecified
    }

    /// The name; it may be empty.
    public var name: String
    /// The value, as the server sent it: nothing is decoded, and quotation marks belong to it.
    public var value: String
    /// The host, or the domain, that it is sent to: in lower case and without a leading dot, names that are not ASCII
    /// as A-labels (`xn--…`), IPv6 addresses without brackets.
    public var domain: String
    /// Whether it is sent to that very host only, and not to those below it.
    public var isHostOnly: Bool
    /// The path of the requests that it is sent with, which includes what is below it. It begins with a slash.
    public var path: String
    /// When it ends, or `nil` if it lasts as long as the session.
    public var expires: Date?
    /// When it was made. A cookie that replaces another one takes its time over.
    public var creation: Date
    /// When it was last sent.
    public var lastAccess: Date
    /// Whether it is sent over secure connections only.
    public var isSecure: Bool
    /// Whether scripts must not see it. It makes no difference to an HTTP client.
    public var isHTTPOnly: Bool
    /// Whether it is sent with requests that another site caused.
    public var sameSite: SameSite

    /// Makes a cookie; ``CookieJar/set(_:)`` checks whether it is a good one.
    ///
    /// - Parameters:
    ///   - domain: The host, or with `isHostOnly: false` the domain.
    ///   - path: Begins with a slash.
    ///   - expires: `nil` for a cookie that lasts as long as the session. A jar shortens what is further away than
    ///     ``CookieLimits/lifetime``.
    ///   - creation: When it was made; also its ``lastAccess``.
    public init(
        name: String,
        value: String,
        domain: String,
        isHostOnly: Bool = true,
        path: String = "/",
        expires: Date? = nil,
        isSecure: Bool = false,
        isHTTPOnly: Bool = false,
        sameSite: SameSite = .unspecified,
        creation: Date = Date()
    ) {
        self.name = name
        self.value = value
        self.domain = domain
        self.isHostOnly = isHostOnly
        self.path = path
        self.expires = expires
        self.creation = creation
        lastAccess = creation
        self.isSecure = isSecure
        self.isHTTPOnly = isHTTPOnly
        self.sameSite = sameSite
    }

    /// Whether it outlives the session: the server gave it an end.
    public var isPersistent: Bool { expires != nil }

    /// Whether its end has come.
    public func isExpired(at now: Date) -> Bool { expires.map { $0 <= now } ?? false }
}

extension Cookie: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Name, domain and path; the value is masked.
    public var description: String { "\(name)=\(SecretMask.placeholder); domain=\(domain); path=\(path)" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// Without the value, so that `dump` does not show it.
    public var customMirror: Mirror {
        Mirror(self, children: ["name": name, "domain": domain, "path": path], displayStyle: .struct)
    }
}
