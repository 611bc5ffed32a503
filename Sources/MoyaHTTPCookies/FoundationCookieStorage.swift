import Foundation
import HTTPTypes
import MoyaPublicSuffixList

/// A cookie storage based on Foundation's, to share cookies with other components through
/// `HTTPCookieStorage.shared` or the storage of a `URLSessionConfiguration`.
///
/// Foundation only stores the cookies. `Set-Cookie` is parsed, and cookies are selected, by the rules of
/// ``CookieJar``, because Foundation implements older standards. `cookieAcceptPolicy` is respected: `.never` stores
/// no cookies; `.onlyFromMainDocumentDomain` is equivalent to `.always`, since the requests of a session have no
/// main document.
///
/// Some properties are lost, since `HTTPCookie` cannot represent them: `SameSite` on Linux, and `HttpOnly` on disk
/// (which has no effect in an HTTP client). Such cookies are treated as if the attribute were missing. On Linux, a
/// cookie that replaces another one gets a new creation time. Prefer ``CookieJar`` if cookies need not be shared.
///
/// On Linux, `HTTPCookieStorage.shared` and storages of group containers are files that every user of the machine can read.
/// The shared one belongs to all programs whose executables are in folders of the same name. A session uses it only if it is
/// passed in ``SessionOptions/cookieStorage``.
public final class FoundationCookieStorage: CookieStorage {
    private let storage: HTTPCookieStorage
    private let rules: CookieRules
    private let limits: CookieLimits
    private let now: @Sendable () -> Date
    // Serializes responses, since reading the existing cookies and adding others are two steps.
    private let turn = Locked(())

    /// Creates a storage based on one of Foundation's.
    ///
    /// - Parameters:
    ///   - storage: Foundation's storage.
    ///   - publicSuffixes: The domains for which no cookies are accepted.
    ///   - limits: The limits on the number and lifetime of cookies, applied after a response.
    ///   - trustsLoopback: Whether connections to the local machine count as secure without TLS.
    ///   - now: Returns the current time; for tests.
    public init(
        _ storage: HTTPCookieStorage,
        publicSuffixes: PublicSuffixList = .bundled,
        limits: CookieLimits = CookieLimits(),
        trustsLoopback: Bool = false,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.storage = storage
        self.limits = limits
        rules = CookieRules(publicSuffixes: publicSuffixes, lifetime: limits.lifetime, trustsLoopback: trustsLoopback)
        self.now = now
    }

    /// Returns the value of the `Cookie` header for a request, or `nil` if there are no cookies for it.
    ///
    /// A value that is not valid UTF-8 is decoded as ISO 8859-1.
    public func cookieHeader(for url: URL, context: CookieContext = CookieContext()) -> String? {
        cookieField(for: url, context: context)?.text
    }

    /// Returns the `Cookie` field for a request, with the bytes that were received, or `nil` if there are no cookies for it.
    public func cookieField(for url: URL, context: CookieContext = CookieContext()) -> HTTPField? {
        guard let origin = CookieOrigin(url, trustsLoopback: rules.trustsLoopback) else { return nil }
        let candidates = candidates(for: origin)
        guard !candidates.isEmpty else { return nil }
        let now = now()
        return candidates.map { Cookie($0) }
            .filter { !$0.isExpired(at: now) && $0.matches(origin, context) && rules.isAllowed($0) }
            .sorted { one, other in
                let lengths = (one.path.utf8.count, other.path.utf8.count)
                return lengths.0 != lengths.1 ? lengths.0 > lengths.1 : one.creation < other.creation
            }
            .cookieField(limit: limits.headerSize)
    }

    /// Stores the cookies of a response.
    ///
    /// Cookies that RFC 6265bis or the storage's policy do not allow are ignored.
    public func store(setCookie fields: [String], from url: URL, context: CookieContext = CookieContext()) {
        store(setCookie: fields.map { Array($0.utf8) }, from: url, context: context)
    }

    /// Stores the cookies of a response, with their bytes.
    ///
    /// Cookies that RFC 6265bis or the storage's policy do not allow are ignored.
    public func store(setCookieFields fields: [HTTPField], from url: URL, context: CookieContext = CookieContext()) {
        store(setCookie: fields.map(\.bytes), from: url, context: context)
    }

    private func store(setCookie fields: [[UInt8]], from url: URL, context: CookieContext) {
        guard storage.cookieAcceptPolicy != .never, !fields.isEmpty else { return }
        let now = now()
        // The lock is safe: only Foundation is called, and it does not call back.
        turn.withLock { _ in
            var kept: [Identity: HTTPCookie] = [:]
            let cookies = cookies
            for (stored, cookie) in cookies { kept[Identity(cookie)] = stored }
            var store = CookieStore(rules: rules, limits: limits)
            store.restoreValid(cookies.map(\.1).sorted { $0.creation < $1.creation }, at: now)
            let before = Set(store.cookies.map(\.withoutAccess))
            store.store(setCookie: fields, from: url, at: now, context: context)
            let after = store.cookies.map(\.withoutAccess)
            before.subtracting(after).compactMap { kept[Identity($0)] }.forEach(storage.deleteCookie)
            // One by one in order, since on Linux the creation time is that of the call.
            after.filter { !before.contains($0) }.compactMap { HTTPCookie($0) }.forEach(storage.setCookie)
        }
    }

    /// Returns the cookies that may belong to a request, and possibly others.
    ///
    /// Foundation selects by host and path, so that the properties of all other cookies need not be read. The URL contains the
    /// host in the form of stored cookies, and HTTPS, because the rules decide which connections are secure. Foundation does not
    /// document its comparison of percent-encoded paths, so all cookies are candidates for such a path.
    private func candidates(for origin: CookieOrigin) -> [HTTPCookie] {
        let name = origin.host.name
        let host = name.utf8.contains(UInt8(ascii: ":")) ? "[\(name)]" : name
        guard !origin.path.utf8.contains(UInt8(ascii: "%")), let url = URL(string: "https://\(host)\(origin.path)"),
            let cookies = storage.cookies(for: url)
        else { return storage.cookies ?? [] }
        return cookies
    }

    private var cookies: [(HTTPCookie, Cookie)] { (storage.cookies ?? []).map { ($0, Cookie($0)) } }
}

/// The properties that identify a cookie.
private struct Identity: Hashable {
    let name: FieldText
    let domain: String
    let isHostOnly: Bool
    let path: String

    init(_ cookie: Cookie) {
        name = cookie.nameText
        domain = cookie.domain
        isHostOnly = cookie.isHostOnly
        path = cookie.path
    }
}

extension Cookie {
    /// The cookie without the last access time, which Foundation does not store.
    fileprivate var withoutAccess: Cookie {
        var cookie = self
        cookie.lastAccess = creation
        return cookie
    }

    fileprivate init(_ cookie: HTTPCookie) {
        // In Foundation, a leading dot marks a domain cookie.
        let isDomain = cookie.domain.hasPrefix(".")
        let domain = String(cookie.domain.drop { $0 == "." })
        var sameSite = SameSite.unspecified
        #if !canImport(FoundationNetworking)
        switch cookie.sameSitePolicy {
        case .sameSiteLax?: sameSite = .lax
        case .sameSiteStrict?: sameSite = .strict
        default: break
        }
        #endif
        let created = cookie.properties?[.moyaCreated]
        self.init(
            name: cookie.name,
            value: cookie.value,
            domain: CookieHost(domain)?.name ?? domain,
            isHostOnly: !isDomain,
            path: cookie.path,
            expires: cookie.expiresDate,
            isSecure: cookie.isSecure,
            isHTTPOnly: cookie.isHTTPOnly,
            sameSite: sameSite,
            creation: Date(
                timeIntervalSinceReferenceDate: created as? Double ?? (created as? NSNumber)?.doubleValue ?? 0
            )
        )
        let encoding = Latin1Comment(cookie.comment)
        if encoding.isInName, let text = FieldText(latin1: name) { nameText = text }
        if encoding.isInValue, let text = FieldText(latin1: value) { valueText = text }
    }
}

extension HTTPCookie {
    fileprivate convenience init?(_ cookie: Cookie) {
        var properties: [HTTPCookiePropertyKey: Any] = [
            .name: cookie.name,
            .value: cookie.value,
            .domain: cookie.isHostOnly ? cookie.domain : ".\(cookie.domain)",
            .path: cookie.path,
            .moyaCreated: cookie.creation.timeIntervalSinceReferenceDate,
        ]
        properties[.comment] = Latin1Comment(cookie).text
        if cookie.isSecure { properties[.secure] = "TRUE" }
        if cookie.isHTTPOnly { properties[.moyaHTTPOnly] = "TRUE" }
        if let expires = cookie.expires { properties[.expires] = expires } else { properties[.discard] = "TRUE" }
        #if !canImport(FoundationNetworking)
        switch cookie.sameSite {
        case .lax: properties[.sameSitePolicy] = HTTPCookieStringPolicy.sameSiteLax
        case .strict: properties[.sameSitePolicy] = HTTPCookieStringPolicy.sameSiteStrict
        case .none, .unspecified: break
        }
        #endif
        self.init(properties: properties)
    }
}

/// The comment of a cookie whose name or value is in ISO 8859-1, since Foundation's cookies have no bytes.
private struct Latin1Comment {
    let isInName: Bool
    let isInValue: Bool

    private static let name = "Moya: the name is in ISO 8859-1"
    private static let value = "Moya: the value is in ISO 8859-1"
    private static let both = "Moya: name and value are in ISO 8859-1"

    init(_ comment: String?) {
        isInName = comment == Self.name || comment == Self.both
        isInValue = comment == Self.value || comment == Self.both
    }

    init(_ cookie: Cookie) { (isInName, isInValue) = (cookie.nameText.isLatin1, cookie.valueText.isLatin1) }

    var text: String? {
        switch (isInName, isInValue) {
        case (true, true): Self.both
        case (true, false): Self.name
        case (false, true): Self.value
        case (false, false): nil
        }
    }
}

extension HTTPCookiePropertyKey {
    // Undocumented keys that Foundation itself uses. On Linux the first is ignored.
    fileprivate static let moyaCreated = HTTPCookiePropertyKey("Created")
    fileprivate static let moyaHTTPOnly = HTTPCookiePropertyKey("HttpOnly")
}
