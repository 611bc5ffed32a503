import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The state of a request that a cache sends: its times, the stored entries, and the requests that wait for it.
struct CacheFetch: Sendable {
    /// The entries for the request's key, some of which the response may replace.
    let entries: [CacheEntry]
    /// Reports the outcome to the requests that wait for this one; `nil` if none can wait.
    let leader: CacheFetches.Leader?
    var times: ExchangeTimes
    /// The position in the removals at which the request was sent.
    let position: CacheRemovals.Position

    /// Begins a fetch.
    init(from cache: HTTPCache, entries: [CacheEntry] = [], leader: CacheFetches.Leader? = nil) {
        self.entries = entries
        self.leader = leader
        times = ExchangeTimes(request: cache.now(), response: 0)
        position = cache.removals.position
    }

    /// The response of a cache, and the outcome for the requests that wait for it.
    struct Result: Sendable {
        let response: TransportResponse
        /// The outcome; `nil` if the body of the response reports it at its end.
        let outcome: CacheFetches.Outcome?
    }
}
