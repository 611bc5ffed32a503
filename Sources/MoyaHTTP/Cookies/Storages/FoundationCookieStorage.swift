import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Foundation's cookies, for an application that shares them with others: `HTTPCookieStorage.shared`, or that of a
/// `URLSessionConfiguration`.
///
/// Foundation only keeps the cookies. What a server sends is read, and what belongs to a request is found, by the rules
/// of ``CookieJar``, because Foundation's are those of older standards. `cookieAcceptPolicy` is respected: `.never`
/// keeps none; `.onlyFromMainDocumentDomain` is the same as `.always`, as no document is behind the requests of a
/// session.
///
/// Some of a cookie is lost, since `HTTPCookie` has no place for it: on Linux `SameSite`, and in what its storage
/// writes to the disk `HttpOnly` (which makes no difference to an HTTP client). Such cookies are sent as if they had
/// said nothing. And there a cookie that replaces another one is as new as any. Prefer ``CookieJar`` for whatever need
/// not be shared.
public final class FoundationCookieStorage: CookieStorage {
    private let storage: HTTPCookieStorage
    private let rules: CookieRules
    private let limits: CookieLimits
    private let now: @Sendable () -> Date
    // One response after the other: finding out what is there and adding to it are two steps.
    private let turn = Locked(())

    /// Makes a storage that keeps its cookies in one of Foundation's.
    ///
    /// - Parameters:
    ///   - storage: Where the cookies are.
    ///   - publicSuffixes: The domains that no cookie can be for.
    ///   - limits: How many cookies there can be after a response, and for how long.
    ///   - trustsLoopback: Whether connections to this machine count as secure ones without TLS.
    ///   - now: Gives the time; for tests.
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

    /// The value of the `Cookie` header for a request, or `nil` if there is no cookie for it.
    public func cookieHeader(for url: URL, context: CookieContext = CookieContext()) -> String? {
        let cookies = cookies
        guard !cookies.isEmpty, let origin = CookieOrigin(url, trustsLoopback: rules.trustsLoopback) else { return nil }
        let now = now()
        return cookies.map(\.1)
            .filter { !$0.isExpired(at: now) && $0.matches(origin, context) && rules.allows($0) }
            .sorted { one, other in
                let lengths = (one.path.utf8.count, other.path.utf8.count)
                return lengths.0 != lengths.1 ? lengths.0 > lengths.1 : one.creation < other.creation
            }
            .cookieHeader(limit: limits.headerSize)
    }

    /// Keeps the cookies of a response. What breaks the rules of RFC 6265bis, or the storage's policy, is ignored.
    public func store(setCookie fields: [String], from url: URL, context: CookieContext = CookieContext()) {
        guard storage.cookieAcceptPolicy != .never, !fields.isEmpty else { return }
        let now = now()
        // Only Foundation is called meanwhile, and it does not call back.
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
            // One by one in their order: on Linux the time of creation is that of the call.
            after.filter { !before.contains($0) }.compactMap { HTTPCookie($0) }.forEach(storage.setCookie)
        }
    }

    private var cookies: [(HTTPCookie, Cookie)] { (storage.cookies ?? []).map { ($0, Cookie($0)) } }
}

/// What is unique of a cookie.
private struct Identity: Hashable {
    let name: String
    let domain: String
    let isHostOnly: Bool
    let path: String

    init(_ cookie: Cookie) {
        name = cookie.name
        domain = cookie.domain
        isHostOnly = cookie.isHostOnly
        path = cookie.path
    }
}

extension Cookie {
    /// Foundation does not keep when a cookie was sent.
    fileprivate var withoutAccess: Cookie {
        var cookie = self
        cookie.lastAccess = creation
        return cookie
    }

    fileprivate init(_ cookie: HTTPCookie) {
        // Foundation tells the two kinds of domain apart by a dot at the beginning.
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

extension HTTPCookiePropertyKey {
    // Neither is among the documented keys; both are what Foundation itself writes. On Linux it ignores the first.
    fileprivate static let moyaCreated = HTTPCookiePropertyKey("Created")
    fileprivate static let moyaHTTPOnly = HTTPCookiePropertyKey("HttpOnly")
}
