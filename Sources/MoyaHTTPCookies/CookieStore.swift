import Foundation
import HTTPTypes
import MoyaPublicSuffixList

/// A cookie store according to RFC 6265bis, sections 5.7 and 5.8, without side effects: time and context are passed
/// in.
///
/// A lookup accesses only the cookies of the host and its parent domains. The limits are applied at the end of each
/// call, so that the cost is linear in the input.
struct CookieStore: Sendable {
    let rules: CookieRules
    let limits: CookieLimits

    private var table = CookieTable()

    init(rules: CookieRules, limits: CookieLimits) {
        self.rules = rules
        self.limits = limits
    }

    init(publicSuffixes: PublicSuffixList = .bundled, limits: CookieLimits = .init(), trustsLoopback: Bool = false) {
        let lifetime = limits.lifetime
        self.init(
            rules: CookieRules(publicSuffixes: publicSuffixes, lifetime: lifetime, trustsLoopback: trustsLoopback),
            limits: limits
        )
    }

    /// A number that changes with every modification, except for the last access time.
    var revision: UInt64 { table.revision }
    /// A number that changes with every modification of persistent cookies, except for the last access time.
    var persistentRevision: UInt64 { table.persistentRevision }
    var count: Int { table.count }
    /// All cookies in the order received.
    var cookies: [Cookie] { table.cookies }

    // MARK: - Receiving

    /// Stores the cookies of a response; invalid cookies are ignored.
    mutating func store(
        setCookie fields: [String],
        from url: URL,
        at now: Date,
        context: CookieContext = CookieContext()
    ) {
        store(setCookie: fields.map { Array($0.utf8) }, from: url, at: now, context: context)
    }

    /// Stores the cookies of a response; invalid cookies are ignored.
    ///
    /// `fields` are the bytes of the fields' values.
    mutating func store(
        setCookie fields: [[UInt8]],
        from url: URL,
        at now: Date,
        context: CookieContext = CookieContext()
    ) {
        guard let origin = CookieOrigin(url, trustsLoopback: rules.trustsLoopback) else { return }
        change(at: now) { store, domains in
            for field in fields {
                guard let domain = try? store.receive(field, from: origin, at: now, context: context) else { continue }
                domains.insert(domain)
            }
        }
    }

    /// Stores the cookie of one `Set-Cookie` field.
    mutating func receive(
        _ field: String,
        from url: URL,
        at now: Date,
        context: CookieContext = CookieContext()
    ) throws(CookieError) {
        guard let origin = CookieOrigin(url, trustsLoopback: rules.trustsLoopback) else { throw .noHost }
        try change(at: now) { store, domains throws(CookieError) in
            domains.insert(try store.receive(Array(field.utf8), from: origin, at: now, context: context))
        }
    }

    private mutating func receive(
        _ field: [UInt8],
        from origin: CookieOrigin,
        at now: Date,
        context: CookieContext
    ) throws(CookieError) -> String {
        let cookie = try rules.receive(field, from: origin, at: now, context: context)
        guard cookie.isSecure || origin.isSecure || !table.hasSecureCookie(like: cookie) else {
            throw .shadowsSecureCookie
        }
        table.insert(cookie, at: now)
        return cookie.domain
    }

    // MARK: - Setting

    /// Stores a cookie of the application; an expired one only removes the cookie that it replaces.
    mutating func set(_ cookie: Cookie, at now: Date) throws(CookieError) {
        try rules.check(cookie)
        change(at: now) { store, domains in
            store.insert(cookie, at: now)
            domains.insert(cookie.domain)
        }
    }

    /// Adds cookies from a file.
    mutating func restore(_ cookies: [Cookie], at now: Date) throws(CookieError) {
        try change(at: now) { store, domains throws(CookieError) in
            for cookie in cookies {
                do throws(CookieError) {
                    try store.rules.check(cookie)
                } catch .publicSuffix {
                    // Another public suffix list was in use when the cookie was stored (section 5.8.3).
                    continue
                }
                store.insert(cookie, at: now)
                domains.insert(cookie.domain)
            }
        }
    }

    /// Adds cookies from another storage; invalid cookies are ignored.
    mutating func restoreValid(_ cookies: [Cookie], at now: Date) {
        change(at: now) { store, domains in
            for cookie in cookies where store.rules.isAllowed(cookie) {
                store.insert(cookie, at: now)
                domains.insert(cookie.domain)
            }
        }
    }

    // MARK: - Sending

    /// Returns the cookies for a request, in the order in which they are sent.
    mutating func cookies(for url: URL, at now: Date, context: CookieContext = CookieContext()) -> [Cookie] {
        // Most sessions have no cookies, and parsing the URL is expensive.
        guard count > 0, let origin = CookieOrigin(url, trustsLoopback: rules.trustsLoopback) else { return [] }
        table.removeExpired(at: now)
        let found = origin.host.domains.flatMap { domain in
            table.access(in: domain, at: now) { $0.matches(origin, context) }
        }
        return found.sorted { one, other in
            let lengths = (one.cookie.path.utf8.count, other.cookie.path.utf8.count)
            if lengths.0 != lengths.1 { return lengths.0 > lengths.1 }
            if one.cookie.creation != other.cookie.creation { return one.cookie.creation < other.cookie.creation }
            return one.number < other.number
        }.map(\.cookie)
    }

    /// Returns the `Cookie` field for a request.
    mutating func cookieField(for url: URL, at now: Date, context: CookieContext = CookieContext()) -> HTTPField? {
        cookies(for: url, at: now, context: context).cookieField(limit: limits.headerSize)
    }

    /// Returns the value of the `Cookie` header for a request.
    mutating func cookieHeader(for url: URL, at now: Date, context: CookieContext = CookieContext()) -> String? {
        cookieField(for: url, at: now, context: context)?.text
    }

    // MARK: - Removing

    /// Removes the cookie with the same name, domain and path; returns whether it existed.
    mutating func remove(_ cookie: Cookie) -> Bool { table.remove(cookie) }

    mutating func removeAll() { table.remove { _ in true } }

    /// Removes the cookies without an expiration time, as at the end of a browser session.
    mutating func removeSessionCookies() { table.remove { !$0.isPersistent } }

    mutating func removeExpired(at now: Date) { table.removeExpired(at: now) }

    /// Modifies the cookies of the domains that the closure names, and applies the limits.
    private mutating func change<Failure: Error>(
        at now: Date,
        _ body: (inout CookieStore, inout Set<String>) throws(Failure) -> Void
    ) throws(Failure) {
        table.removeExpired(at: now)
        var domains: Set<String> = []
        try body(&self, &domains)
        table.trim(domains, limits)
    }

    private mutating func insert(_ cookie: Cookie, at now: Date) {
        var cookie = cookie
        cookie.expires = rules.shortened(cookie.expires, at: now)
        table.insert(cookie, at: now)
    }
}
