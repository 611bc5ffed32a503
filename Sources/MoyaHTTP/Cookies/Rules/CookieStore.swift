import Foundation

/// Cookies by the rules of RFC 6265bis, sections 5.7 and 5.8. Pure: time and circumstances are given.
///
/// A look-up touches only the cookies of the host and of the domains above it. How many there are is limited at the end
/// of each call, so that the work grows with the input and not with its square.
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

    /// Changes with every change but that of the time of last access.
    var revision: UInt64 { table.revision }
    /// The same, of cookies that outlive the session only.
    var persistentRevision: UInt64 { table.persistentRevision }
    var count: Int { table.count }
    /// All cookies, in the order in which they came.
    var cookies: [Cookie] { table.cookies }

    // MARK: - What is received

    /// Keeps the cookies of a response; what breaks the rules is ignored.
    mutating func store(
        setCookie fields: [String],
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

    /// Keeps the cookie of one `Set-Cookie` field.
    mutating func receive(
        _ field: String,
        from url: URL,
        at now: Date,
        context: CookieContext = CookieContext()
    ) throws(CookieError) {
        guard let origin = CookieOrigin(url, trustsLoopback: rules.trustsLoopback) else { throw .noHost }
        try change(at: now) { store, domains throws(CookieError) in
            domains.insert(try store.receive(field, from: origin, at: now, context: context))
        }
    }

    private mutating func receive(
        _ field: String,
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

    // MARK: - What is given

    /// Keeps a cookie that an application has made, or removes the one that it replaces if it has expired.
    mutating func set(_ cookie: Cookie, at now: Date) throws(CookieError) {
        try rules.check(cookie)
        change(at: now) { store, domains in
            store.insert(cookie, at: now)
            domains.insert(cookie.domain)
        }
    }

    /// Puts in cookies that have been kept in a file.
    mutating func restore(_ cookies: [Cookie], at now: Date) throws(CookieError) {
        try change(at: now) { store, domains throws(CookieError) in
            for cookie in cookies {
                do throws(CookieError) {
                    try store.rules.check(cookie)
                } catch .publicSuffix {
                    // Another list held when it was made (section 5.8.3).
                    continue
                }
                store.insert(cookie, at: now)
                domains.insert(cookie.domain)
            }
        }
    }

    /// Puts in what somebody else keeps, but for what breaks the rules.
    mutating func restoreValid(_ cookies: [Cookie], at now: Date) {
        change(at: now) { store, domains in
            for cookie in cookies where store.rules.allows(cookie) {
                store.insert(cookie, at: now)
                domains.insert(cookie.domain)
            }
        }
    }

    // MARK: - What is sent

    /// The cookies for a request, in the order in which they are sent.
    mutating func cookies(for url: URL, at now: Date, context: CookieContext = CookieContext()) -> [Cookie] {
        // Most sessions have none; finding out about the URL is what takes time.
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

    /// The value of the `Cookie` header for a request.
    mutating func cookieHeader(for url: URL, at now: Date, context: CookieContext = CookieContext()) -> String? {
        cookies(for: url, at: now, context: context).cookieHeader(limit: limits.headerSize)
    }

    // MARK: - What goes

    /// Removes the cookie of the same name, domain and path. Returns whether there was one.
    mutating func remove(_ cookie: Cookie) -> Bool { table.remove(cookie) }

    mutating func removeAll() { table.remove { _ in true } }

    /// What is done at the end of a session.
    mutating func removeSessionCookies() { table.remove { !$0.isPersistent } }

    mutating func removeExpired(at now: Date) { table.removeExpired(at: now) }

    /// Makes changes in domains that are named, and limits the numbers afterwards.
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
