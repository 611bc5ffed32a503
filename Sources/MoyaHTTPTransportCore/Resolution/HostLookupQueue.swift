/// The lookups of host names that run, and those that wait for a thread; the current time is passed in.
///
/// Equal names share a lookup. A blocking lookup cannot be cancelled, so that its thread is lost until it ends. Therefore
/// a lookup counts toward the limit only while a caller waits for it, and not after it has become slow: then it sleeps,
/// most likely because a name server does not respond. All threads together have a higher limit.
struct HostLookupQueue: Sendable {
    typealias WaiterID = Int

    private struct Lookup: Sendable {
        var waiters: Set<WaiterID>
        /// The place in the queue; later lookups have higher places.
        let place: Int
        /// The time at which the lookup got a thread.
        var started: Duration?
    }

    private let limit: Int
    private let maximumThreads: Int
    private let slowTime: Duration
    private var lookups: [String: Lookup] = [:]
    /// The hosts that wait for a thread, by place.
    private var queue: [(place: Int, host: String)] = []
    private var running: Set<String> = []
    /// The running lookups that are not slow.
    private var fresh: Set<String> = []
    private var lastPlace = 0

    /// Creates an empty queue.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of running lookups that a caller waits for and that are not slow.
    ///   - maximumThreads: The maximum number of running lookups.
    ///   - slowTime: The time after which a lookup is slow.
    init(limit: Int, maximumThreads: Int, slowTime: Duration) {
        self.limit = limit
        self.maximumThreads = maximumThreads
        self.slowTime = slowTime
    }

    /// The number of lookups that run.
    var runningCount: Int { running.count }

    /// Adds a caller that waits for a host; returns the hosts to look up now.
    mutating func add(_ waiter: WaiterID, for host: String, at now: Duration) -> [String] {
        if lookups[host] != nil {
            lookups[host]?.waiters.insert(waiter)
            return []
        }
        lastPlace += 1
        lookups[host] = Lookup(waiters: [waiter], place: lastPlace)
        queue.append((lastPlace, host))
        return start(at: now)
    }

    /// Removes a caller that no longer waits; returns the hosts to look up now.
    mutating func remove(_ waiter: WaiterID, of host: String, at now: Duration) -> [String] {
        guard lookups[host]?.waiters.remove(waiter) != nil else { return [] }
        if let lookup = lookups[host], lookup.waiters.isEmpty, lookup.started == nil {
            lookups[host] = nil
            let index = index(of: lookup.place)
            if index < queue.count, queue[index].place == lookup.place { queue.remove(at: index) }
        }
        return start(at: now)
    }

    /// Removes a lookup that has ended; returns its callers, and the hosts to look up now.
    mutating func finish(_ host: String, at now: Duration) -> (waiters: Set<WaiterID>, starting: [String]) {
        guard running.remove(host) != nil, let lookup = lookups.removeValue(forKey: host) else { return ([], []) }
        fresh.remove(host)
        return (lookup.waiters, start(at: now))
    }

    /// The time of the next call of ``deadlinePassed(at:)``, if any: a lookup will be slow while others wait for its place.
    var nextDeadline: Duration? {
        guard !queue.isEmpty, running.count < maximumThreads else { return nil }
        return fresh.lazy.compactMap { lookups[$0]?.started.map { $0 + slowTime } }.min()
    }

    /// Returns the hosts to look up, because others have become slow.
    mutating func deadlinePassed(at now: Duration) -> [String] { start(at: now) }

    private mutating func start(at now: Duration) -> [String] {
        guard !queue.isEmpty else { return [] }
        fresh = fresh.filter { host in lookups[host]?.started.map { now - $0 < slowTime } ?? false }
        let counted = fresh.count { lookups[$0]?.waiters.isEmpty == false }
        let count = max(0, min(limit - counted, maximumThreads - running.count, queue.count))
        let hosts = queue.prefix(count).map(\.host)
        queue.removeFirst(count)
        for host in hosts {
            lookups[host]?.started = now
            running.insert(host)
            fresh.insert(host)
        }
        return hosts
    }

    /// The index of a place in the queue, or the one at which it would be.
    private func index(of place: Int) -> Int {
        var (low, high) = (0, queue.count)
        while low < high {
            let middle = (low + high) / 2
            if queue[middle].place < place { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
