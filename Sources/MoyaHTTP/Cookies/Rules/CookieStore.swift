import Foundation

/// The cookies themselves (RFC 6265bis, sections 5.7 and 5.8). Pure: time and circumstances are given.
///
/// A look-up touches only the cookies of the host and of the domains above it. How many there are is limited at the end
/// of each call, so that the work grows with the input and not with its square.
struct CookieStore: Sendable {
    /// What is unique of a cookie (step 23).
    private struct Key: Hashable {
        let name: String
        let path: String
        let isHostOnly: Bool

        init(_ cookie: Cookie) {
            name = cookie.name
            path = cookie.path
            isHostOnly = cookie.isHostOnly
        }
    }

    private struct Place: Hashable {
        let domain: String
        let path: String
    }

    private struct Entry {
        var cookie: Cookie
        /// Puts cookies of the same moment in order.
        let number: UInt64
    }

    let rules: CookieRules
    let limits: CookieLimits
    /// Changes with every change but that of the time of last access.
    private(set) var revision: UInt64 = 0
    private(set) var count = 0

    private var domains: [String: [Key: Entry]] = [:]
    /// Where there are secure cookies of a name, and how many: what step 16 looks for.
    private var securePlaces: [String: [Place: Int]] = [:]
    /// The domains that may have more cookies than they should.
    private var crowdedDomains: Set<String> = []
    private var nextNumber: UInt64 = 0
    /// No cookie expires before.
    private var nextExpiry = Date.distantFuture

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

    /// All cookies, in the order in which they came.
    var cookies: [Cookie] {
        domains.values.flatMap(\.values).sorted { $0.number < $1.number }.map(\.cookie)
    }

    // MARK: - What is received

    /// Keeps the cookies of a response; what breaks the rules is ignored.
    mutating func store(
        setCookie fields: [String],
        from url: URL,
        at now: Date,
        context: CookieContext = CookieContext()
    ) {
        guard let origin = CookieOrigin(url, trustsLoopback: rules.trustsLoopback) else { return }
        removeExpired(at: now)
        for field in fields { try? receive(field, from: origin, at: now, context: context) }
        trim()
    }

    /// Keeps the cookie of one `Set-Cookie` field.
    mutating func receive(
        _ field: String,
        from url: URL,
        at now: Date,
        context: CookieContext = CookieContext()
    ) throws(CookieError) {
        guard let origin = CookieOrigin(url, trustsLoopback: rules.trustsLoopback) else { throw .noHost }
        removeExpired(at: now)
        try receive(field, from: origin, at: now, context: context)
        trim()
    }

    private mutating func receive(
        _ field: String,
        from origin: CookieOrigin,
        at now: Date,
        context: CookieContext
    ) throws(CookieError) {
        let cookie = try rules.receive(field, from: origin, at: now, context: context)
        guard cookie.isSecure || origin.isSecure || !shadowsSecureCookie(cookie) else { throw .shadowsSecureCookie }
        insert(cookie, at: now)
    }

    /// Step 16.
    private func shadowsSecureCookie(_ cookie: Cookie) -> Bool {
        guard let places = securePlaces[cookie.name], let host = CookieHost(cookie.domain) else { return false }
        return places.keys.contains { place in
            CookiePath.matches(cookie.path, place.path)
                && (host.matches(domain: place.domain)
                    || CookieHost(place.domain)?.matches(domain: cookie.domain) == true)
        }
    }

    // MARK: - What is given

    /// Keeps a cookie that an application or a file has made, or removes the one that it replaces if it has expired.
    mutating func set(_ cookie: Cookie, at now: Date) throws(CookieError) {
        try rules.check(cookie)
        removeExpired(at: now)
        var cookie = cookie
        cookie.expires = rules.shortened(cookie.expires, at: now)
        insert(cookie, at: now)
        trim()
    }

    /// Puts in cookies that have been kept in a file. Unlike with ``set(_:at:)`` their times of creation stand.
    mutating func restore(_ cookies: [Cookie], at now: Date) throws(CookieError) {
        for cookie in cookies {
            do throws(CookieError) {
                try rules.check(cookie)
            } catch .publicSuffix {
                // Another list held when it was made (section 5.8.3).
                continue
            }
            restore(cookie, at: now)
        }
        trim()
    }

    /// Puts in what somebody else keeps, but for what breaks the rules.
    mutating func restoreValid(_ cookies: [Cookie], at now: Date) {
        for cookie in cookies where rules.allows(cookie) { restore(cookie, at: now) }
        trim()
    }

    private mutating func restore(_ cookie: Cookie, at now: Date) {
        var cookie = cookie
        cookie.expires = rules.shortened(cookie.expires, at: now)
        insert(cookie, at: now)
    }

    // MARK: - What is sent

    /// The cookies for a request, in the order in which they are sent.
    mutating func cookies(for url: URL, at now: Date, context: CookieContext = CookieContext()) -> [Cookie] {
        guard let origin = CookieOrigin(url, trustsLoopback: rules.trustsLoopback) else { return [] }
        removeExpired(at: now)
        var found: [Entry] = []
        for domain in origin.host.domains {
            guard let entries = domains[domain] else { continue }
            let keys = entries.filter { $0.value.cookie.matches(origin, context) }.keys
            for key in keys {
                domains[domain]?[key]?.cookie.lastAccess = now
                if let entry = domains[domain]?[key] { found.append(entry) }
            }
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
        cookies(for: url, at: now, context: context).cookieHeader
    }

    // MARK: - What goes

    /// Removes the cookie of the same name, domain and path. Returns whether there was one.
    @discardableResult
    mutating func remove(_ cookie: Cookie) -> Bool { remove(Key(cookie), in: cookie.domain) != nil }

    mutating func removeAll() { remove { _ in true } }

    /// What is done at the end of a session.
    mutating func removeSessionCookies() { remove { !$0.isPersistent } }

    mutating func removeExpired(at now: Date) {
        guard now >= nextExpiry else { return }
        remove { $0.isExpired(at: now) }
        nextExpiry = domains.values.joined().compactMap { $0.value.cookie.expires }.min() ?? .distantFuture
    }

    private mutating func remove(where isUnwanted: (Cookie) -> Bool) {
        for (domain, entries) in domains {
            for (key, entry) in entries where isUnwanted(entry.cookie) { remove(key, in: domain) }
        }
    }

    @discardableResult
    private mutating func remove(_ key: Key, in domain: String) -> Entry? {
        guard let entry = domains[domain]?.removeValue(forKey: key) else { return nil }
        if domains[domain]?.isEmpty == true { domains[domain] = nil }
        if entry.cookie.isSecure { countSecure(entry.cookie, -1) }
        count -= 1
        revision += 1
        return entry
    }

    // MARK: - How it is kept

    /// Steps 23 and 24.
    private mutating func insert(_ cookie: Cookie, at now: Date) {
        var cookie = cookie
        let key = Key(cookie)
        let old = domains[cookie.domain]?[key]
        if let old {
            cookie.creation = old.cookie.creation
            var same = old.cookie
            same.lastAccess = cookie.lastAccess
            if same == cookie {
                // Servers like to send the same cookie with each response.
                domains[cookie.domain]?[key]?.cookie.lastAccess = cookie.lastAccess
                return
            }
            remove(key, in: cookie.domain)
        }
        guard !cookie.isExpired(at: now) else { return }
        domains[cookie.domain, default: [:]][key] = Entry(cookie: cookie, number: old?.number ?? nextNumber)
        nextNumber += 1
        if domains[cookie.domain, default: [:]].count > limits.cookiesPerDomain { crowdedDomains.insert(cookie.domain) }
        count += 1
        revision += 1
        if cookie.isSecure { countSecure(cookie, 1) }
        if let expires = cookie.expires { nextExpiry = min(nextExpiry, expires) }
    }

    private mutating func countSecure(_ cookie: Cookie, _ difference: Int) {
        let place = Place(domain: cookie.domain, path: cookie.path)
        let count = securePlaces[cookie.name, default: [:]][place, default: 0] + difference
        securePlaces[cookie.name]?[place] = count > 0 ? count : nil
        if securePlaces[cookie.name]?.isEmpty == true { securePlaces[cookie.name] = nil }
    }

    /// Removes excess cookies, in the standard's order.
    private mutating func trim() {
        for domain in crowdedDomains {
            let entries = domains[domain] ?? [:]
            guard entries.count > limits.cookiesPerDomain else { continue }
            let order = entries.sorted { one, other in
                one.value.cookie.isSecure != other.value.cookie.isSecure
                    ? other.value.cookie.isSecure : Self.isOlder(one.value, other.value)
            }
            for (key, _) in order.prefix(entries.count - limits.cookiesPerDomain) { remove(key, in: domain) }
        }
        crowdedDomains = []
        guard count > limits.cookies else { return }
        let order = domains.flatMap { domain, entries in entries.map { (domain, $0.key, $0.value) } }
            .sorted { Self.isOlder($0.2, $1.2) }
        for (domain, key, _) in order.prefix(count - limits.cookies) { remove(key, in: domain) }
    }

    private static func isOlder(_ one: Entry, _ other: Entry) -> Bool {
        one.cookie.lastAccess != other.cookie.lastAccess
            ? one.cookie.lastAccess < other.cookie.lastAccess : one.number < other.number
    }
}
