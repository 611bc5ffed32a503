import Foundation

/// The known hosts with their policies (RFC 6797, sections 5.3, 8.1 and 8.2).
struct StrictTransportSecurityTable: Sendable {
    private struct Entry {
        let includesSubdomains: Bool
        let expires: Date
        /// The number of the last use, which orders the entries.
        var lastUse: UInt64
    }

    /// The maximum number of hosts.
    let maximumHostCount: Int

    private var entries: [String: Entry] = [:]
    private var useCount: UInt64 = 0

    /// Creates a table without hosts.
    init(maximumHostCount: Int) { self.maximumHostCount = maximumHostCount }

    /// Stores or ends the policy of a host, as a field of its response says (section 8.1).
    mutating func store(_ field: StrictTransportSecurityField, of host: StrictTransportSecurityHost, at now: Date) {
        let expires = now.addingTimeInterval(field.maxAge)
        store(host, includesSubdomains: field.includesSubdomains, expires: expires, at: now)
    }

    /// Stores the policy of a host; one that has expired only removes the policy of the host.
    mutating func store(
        _ host: StrictTransportSecurityHost,
        includesSubdomains: Bool,
        expires: Date,
        at now: Date
    ) {
        guard expires > now else {
            entries[host.name] = nil
            return
        }
        useCount += 1
        entries[host.name] = Entry(includesSubdomains: includesSubdomains, expires: expires, lastUse: useCount)
        guard entries.count > maximumHostCount else { return }
        removeExpired(at: now)
        // Many hosts must not replace the hosts that an application uses.
        guard entries.count > maximumHostCount, let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse })
        else { return }
        entries[oldest.key] = nil
    }

    /// Returns whether a host has a policy, or a parent domain has one for its subdomains (section 8.2).
    mutating func requiresTLS(_ host: StrictTransportSecurityHost, at now: Date) -> Bool {
        guard !entries.isEmpty else { return false }
        var isRequired = false
        for domain in host.domains {
            let domain = String(domain)
            guard let entry = entries[domain], entry.expires > now, entry.includesSubdomains || domain == host.name
            else { continue }
            useCount += 1
            entries[domain]?.lastUse = useCount
            isRequired = true
        }
        return isRequired
    }

    /// Returns the policies that have not expired, in the order of their hosts.
    func policies(at now: Date) -> [StrictTransportSecurityPolicy] {
        entries.filter { $0.value.expires > now }.sorted { $0.key < $1.key }.map { host, entry in
            StrictTransportSecurityPolicy(
                host: host,
                includesSubdomains: entry.includesSubdomains,
                expires: entry.expires
            )
        }
    }

    /// Removes all policies.
    mutating func removeAll() { entries = [:] }

    private mutating func removeExpired(at now: Date) { entries = entries.filter { $0.value.expires > now } }
}
