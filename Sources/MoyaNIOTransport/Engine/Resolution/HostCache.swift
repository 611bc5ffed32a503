/// The results of recent lookups by host; the current time is passed in.
///
/// It keeps the time at which a result arrived, so that transports with different policies can share it.
struct HostCache<Value: Sendable>: Sendable {
    /// A result that may be reused.
    enum Found: Sendable {
        case addresses(Value)
        case notFound
    }

    private struct Entry: Sendable {
        let found: Found
        let time: Duration
        let lifetime: Duration?
    }

    private let capacity: Int
    private var entries: [String: Entry] = [:]

    init(capacity: Int = 1_000) { self.capacity = capacity }

    var count: Int { entries.count }

    /// Returns the result for a host that is valid by a policy.
    func found(_ host: String, _ policy: HostCachePolicy, at now: Duration) -> Found? {
        guard let entry = entries[host] else { return nil }
        let usual =
            switch entry.found {
            case .addresses: policy.addressLifetime
            case .notFound: policy.notFoundLifetime
            }
        return now - entry.time < entry.lifetime ?? usual ? entry.found : nil
    }

    /// Keeps a result in place of an earlier one and, if there is no room, in place of the oldest one.
    mutating func store(_ found: Found, for host: String, lifetime: Duration?, at now: Duration) {
        entries[host] = nil
        if let lifetime, lifetime <= .zero { return }
        if entries.count >= capacity, let oldest = entries.min(by: { $0.value.time < $1.value.time }) {
            entries[oldest.key] = nil
        }
        // A longer time could overflow.
        let lifetime = lifetime.map { min($0, .longestTimeout) }
        entries[host] = Entry(found: found, time: now, lifetime: lifetime)
    }

    /// Removes the addresses of a host, because a connection to them failed.
    mutating func removeAddresses(of host: String) {
        if case .addresses? = entries[host]?.found { entries[host] = nil }
    }
}
