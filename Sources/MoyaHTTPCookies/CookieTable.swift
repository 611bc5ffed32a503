import Foundation
import MoyaPublicSuffixList

/// The cookies by domain, with limits (RFC 6265bis, section 5.7, steps 16, 23, 24 and following).
struct CookieTable: Sendable {
    /// The properties that identify a cookie in its domain (step 23).
    private struct Key: Hashable {
        let name: FieldText
        let path: String
        let isHostOnly: Bool

        init(_ cookie: Cookie) {
            name = cookie.nameText
            path = cookie.path
            isHostOnly = cookie.isHostOnly
        }
    }

    private struct Place: Hashable {
        let domain: String
        let path: String
    }

    struct Entry {
        var cookie: Cookie
        /// The sequence number, which orders cookies with the same creation time.
        let number: UInt64
    }

    /// A number that changes with every modification, except for the last access time.
    private(set) var revision: UInt64 = 0
    /// A number that changes with every modification of persistent cookies, except for the last access time.
    private(set) var persistentRevision: UInt64 = 0
    private(set) var count = 0

    private var domains: [String: [Key: Entry]] = [:]
    /// The number of secure cookies by name and place, for step 16.
    private var securePlaces: [FieldText: [Place: Int]] = [:]
    private var nextNumber: UInt64 = 0
    /// A time before which no cookie expires.
    private var nextExpiry = Date.distantFuture

    /// All cookies in the order received.
    var cookies: [Cookie] {
        domains.values.flatMap(\.values).sorted { $0.number < $1.number }.map(\.cookie)
    }

    /// Inserts a cookie, replacing one with the same name, domain and path; an expired one only removes that.
    mutating func insert(_ cookie: Cookie, at now: Date) {
        var cookie = cookie
        let key = Key(cookie)
        let old = domains[cookie.domain]?[key]
        if let old {
            cookie.creation = old.cookie.creation
            var same = old.cookie
            same.lastAccess = cookie.lastAccess
            if same == cookie {
                // Many servers send the same cookie with each response.
                domains[cookie.domain]?[key]?.cookie.lastAccess = cookie.lastAccess
                return
            }
            remove(key, in: cookie.domain)
        }
        guard !cookie.isExpired(at: now) else { return }
        domains[cookie.domain, default: [:]][key] = Entry(cookie: cookie, number: old?.number ?? nextNumber)
        nextNumber += 1
        updateCounts(for: cookie, by: 1)
        if let expires = cookie.expires { nextExpiry = min(nextExpiry, expires) }
    }

    /// Returns the matching cookies in a domain, and updates their last access time.
    mutating func access(in domain: String, at now: Date, where isWanted: (Cookie) -> Bool) -> [Entry] {
        guard let bucket = domains.index(forKey: domain) else { return [] }
        var found: [Entry] = []
        // Modified in place by index: iterating over the entries would copy all of them.
        var index = domains.values[bucket].values.startIndex
        while index != domains.values[bucket].values.endIndex {
            if isWanted(domains.values[bucket].values[index].cookie) {
                domains.values[bucket].values[index].cookie.lastAccess = now
                found.append(domains.values[bucket].values[index])
            }
            domains.values[bucket].values.formIndex(after: &index)
        }
        return found
    }

    /// Returns whether a cookie could be mistaken for an existing secure cookie (step 16).
    func hasSecureCookie(like cookie: Cookie) -> Bool {
        guard let places = securePlaces[cookie.nameText], let host = CookieHost(cookie.domain) else { return false }
        return places.keys.contains { place in
            CookiePath.matches(cookie.path, place.path)
                && (host.matches(domain: place.domain)
                    || CookieHost(place.domain)?.matches(domain: cookie.domain) == true)
        }
    }

    /// Removes the cookie with the same name, domain and path; returns whether it existed.
    mutating func remove(_ cookie: Cookie) -> Bool { remove(Key(cookie), in: cookie.domain) }

    mutating func remove(where isUnwanted: (Cookie) -> Bool) {
        for (domain, entries) in domains {
            for (key, entry) in entries where isUnwanted(entry.cookie) { remove(key, in: domain) }
        }
    }

    mutating func removeExpired(at now: Date) {
        guard now >= nextExpiry else { return }
        remove { $0.isExpired(at: now) }
        nextExpiry = domains.values.joined().compactMap { $0.value.cookie.expires }.min() ?? .distantFuture
    }

    /// Removes excess cookies in the order of the standard.
    ///
    /// First those of a domain with too many, starting with the ones that are not secure, then any. Within a group,
    /// the least recently sent cookies are removed first.
    mutating func trim(_ crowdedDomains: Set<String>, _ limits: CookieLimits) {
        for domain in crowdedDomains {
            guard let entries = domains[domain], entries.count > limits.cookiesPerDomain else { continue }
            let order = entries.sorted { one, other in
                one.value.cookie.isSecure != other.value.cookie.isSecure
                    ? other.value.cookie.isSecure : Self.isOlder(one.value, other.value)
            }
            for (key, _) in order.prefix(entries.count - limits.cookiesPerDomain) { remove(key, in: domain) }
        }
        let excess = count - limits.cookies
        // A full table usually exceeds the limit by one cookie; finding the oldest one is faster than sorting.
        guard excess > 1 else {
            if excess == 1, let oldest { remove(oldest.key, in: oldest.domain) }
            return
        }
        let order = domains.flatMap { domain, entries in entries.map { (domain, $0.key, $0.value) } }
            .sorted { Self.isOlder($0.2, $1.2) }
        for (domain, key, _) in order.prefix(excess) { remove(key, in: domain) }
    }

    /// The least recently sent cookie.
    private var oldest: (domain: String, key: Key)? {
        var found: (domain: String, key: Key, entry: Entry)?
        for (domain, entries) in domains {
            for (key, entry) in entries where found.map({ Self.isOlder(entry, $0.entry) }) ?? true {
                found = (domain, key, entry)
            }
        }
        return found.map { ($0.domain, $0.key) }
    }

    @discardableResult
    private mutating func remove(_ key: Key, in domain: String) -> Bool {
        guard let entry = domains[domain]?.removeValue(forKey: key) else { return false }
        if domains[domain]?.isEmpty == true { domains[domain] = nil }
        updateCounts(for: entry.cookie, by: -1)
        return true
    }

    private mutating func updateCounts(for cookie: Cookie, by difference: Int) {
        count += difference
        revision += 1
        if cookie.isPersistent { persistentRevision += 1 }
        guard cookie.isSecure else { return }
        let place = Place(domain: cookie.domain, path: cookie.path)
        let number = securePlaces[cookie.nameText, default: [:]][place, default: 0] + difference
        securePlaces[cookie.nameText, default: [:]][place] = number > 0 ? number : nil
        if securePlaces[cookie.nameText]?.isEmpty == true { securePlaces[cookie.nameText] = nil }
    }

    private static func isOlder(_ one: Entry, _ other: Entry) -> Bool {
        one.cookie.lastAccess != other.cookie.lastAccess
            ? one.cookie.lastAccess < other.cookie.lastAccess : one.number < other.number
    }
}
