import Foundation
import HTTPTypes
import MoyaPublicSuffixList

/// A cookie with the fields that a client stores (RFC 6265bis, section 5.7).
///
/// Servers set cookies with `Set-Cookie`, which a ``CookieJar`` parses. A cookie created by the application can be
/// passed to ``CookieJar/set(_:)``, which validates it. Descriptions do not include the value, since it may be a
/// credential.
public struct Cookie: Equatable, Hashable, Sendable {
    /// The policy for requests caused by another site (RFC 6265bis, section 5.6.7).
    public enum SameSite: String, Hashable, Sendable {
        /// The cookie is never sent with such requests.
        case strict
        /// The cookie is sent if the method is safe, such as GET.
        case lax
        /// The cookie is always sent.
        ///
        /// It must be ``Cookie/isSecure``.
        case none
        /// The server did not specify a policy; treated like ``lax``.
        case unspecified
    }

    /// The name, which may be empty.
    ///
    /// A received name that is not valid UTF-8 is decoded as ISO 8859-1; its bytes are kept until another one is set.
    public var name: String {
        get { nameText.text }
        set { nameText = FieldText(newValue) }
    }
    /// The value as received: it is not decoded, and includes quotation marks.
    ///
    /// A received value that is not valid UTF-8 is decoded as ISO 8859-1; its bytes are kept, and sent, until another
    /// one is set.
    public var value: String {
        get { valueText.text }
        set { valueText = FieldText(newValue) }
    }
    /// The name with its bytes.
    var nameText: FieldText
    /// The value with its bytes.
    var valueText: FieldText
    /// The host or domain that receives the cookie.
    ///
    /// It is lowercase and has no leading dot. International names are A-labels (`xn--…`), IPv6 addresses have no
    /// brackets.
    public var domain: String
    /// Whether the cookie is sent only to this host, and not to its subdomains.
    public var isHostOnly: Bool
    /// The path of the requests with which the cookie is sent, including paths below it.
    ///
    /// It starts with a slash.
    public var path: String
    /// The expiration time, or `nil` for a session cookie.
    public var expires: Date?
    /// The creation time.
    ///
    /// A cookie that replaces another one keeps its creation time.
    public var creation: Date
    /// The time at which the cookie was last sent.
    public var lastAccess: Date
    /// Whether the cookie is sent only over secure connections.
    public var isSecure: Bool
    /// Whether scripts cannot access the cookie.
    ///
    /// It has no effect in an HTTP client.
    public var isHTTPOnly: Bool
    /// The policy for requests caused by another site.
    public var sameSite: SameSite

    /// Creates a cookie, which ``CookieJar/set(_:)`` validates.
    ///
    /// - Parameters:
    ///   - name: The name; it may be empty.
    ///   - value: The value.
    ///   - domain: The host, or the domain if `isHostOnly` is false.
    ///   - isHostOnly: Whether the cookie is sent only to this host.
    ///   - path: The path, which starts with a slash.
    ///   - expires: The expiration time; `nil` for a session cookie. A jar limits it to ``CookieLimits/lifetime``.
    ///   - isSecure: Whether the cookie is sent only over secure connections.
    ///   - isHTTPOnly: Whether scripts cannot access the cookie.
    ///   - sameSite: The policy for requests caused by another site.
    ///   - creation: The creation time and initial ``lastAccess``.
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
        nameText = FieldText(name)
        valueText = FieldText(value)
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

    /// Whether the cookie outlives the session, since it has an expiration time.
    public var isPersistent: Bool { expires != nil }

    /// Returns whether the cookie has expired.
    public func isExpired(at now: Date) -> Bool { expires.map { $0 <= now } ?? false }
}

extension Cookie: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// A description with name, domain and path; the value is masked.
    public var description: String { "\(name)=\(SecretMask.placeholder); domain=\(domain); path=\(path)" }

    /// The same text as ``description``.
    public var debugDescription: String { description }

    /// A mirror without the value, for `dump`.
    public var customMirror: Mirror {
        Mirror(self, children: ["name": name, "domain": domain, "path": path], displayStyle: .struct)
    }
}

extension Cookie {
    /// Returns whether the cookie is sent with a request (RFC 6265bis, section 5.8.3, step 3), unless it has
    /// expired.
    func matches(_ origin: CookieOrigin, _ context: CookieContext) -> Bool {
        guard isHostOnly ? origin.host.name == domain : origin.host.matches(domain: domain),
            CookiePath.matches(origin.path, path), !isSecure || origin.isSecure
        else { return false }
        guard !context.isSameSite else { return true }
        return switch sameSite {
        case .none: true
        case .lax, .unspecified: context.isSafeMethod && context.isTopLevelNavigation
        case .strict: false
        }
    }
}

extension [Cookie] {
    /// Returns the `Cookie` field (section 5.8.3, step 6), with a value of at most `limit` bytes, or `nil` if it is
    /// empty.
    ///
    /// Cookies that do not fit are omitted.
    func cookieField(limit: Int) -> HTTPField? {
        var value: [UInt8] = []
        for cookie in self {
            let pair = (cookie.name.isEmpty ? [] : cookie.nameText.bytes + [.equals]) + cookie.valueText.bytes
            let separator = value.isEmpty ? "" : "; "
            if value.count + separator.utf8.count + pair.count <= limit { value += separator.utf8 + pair }
        }
        return value.isEmpty ? nil : HTTPField(name: .cookie, value: value)
    }
}

/// The parts of a request's URL that matter to cookies.
struct CookieOrigin: Equatable, Sendable {
    let host: CookieHost
    /// The path as in the URL, percent-encoded.
    let path: String
    let isSecure: Bool

    /// Creates an origin; `nil` for a URL without a host.
    ///
    /// `trustsLoopback` makes connections to the local machine secure.
    init?(_ url: URL, trustsLoopback: Bool = false) {
        guard let host = CookieHost(url), let scheme = url.scheme?.lowercased() else { return nil }
        self.host = host
        let path = url.path(percentEncoded: true)
        self.path = path.isEmpty ? "/" : path
        isSecure = ["https", "wss"].contains(scheme) || trustsLoopback && host.isLoopback
    }
}

/// The rules for cookie paths (RFC 6265bis, section 5.1.4).
///
/// Paths are compared byte by byte, without decoding.
enum CookiePath {
    /// Returns the default path of a cookie, from the path of the request.
    static func defaultPath(for path: String) -> String {
        let slash = UInt8(ascii: "/")
        guard path.utf8.first == slash, let end = path.utf8.lastIndex(of: slash), end > path.startIndex else {
            return "/"
        }
        return String(path[..<end])
    }

    /// Returns whether a request's path is the cookie's path or below it.
    static func matches(_ requestPath: String, _ cookiePath: String) -> Bool {
        let request = requestPath.utf8
        let cookie = cookiePath.utf8
        guard request.starts(with: cookie) else { return false }
        return request.count == cookie.count || cookie.last == UInt8(ascii: "/")
            || request.dropFirst(cookie.count).first == UInt8(ascii: "/")
    }
}
