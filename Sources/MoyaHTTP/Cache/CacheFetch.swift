/// The state of a request that a cache sends: its times, the stored entries, and the leader of the requests that wait for it.
struct CacheFetch: Sendable {
    /// The entries for the request's key, some of which the response may replace.
    let entries: [CacheEntry]
    /// Reports the outcome to the requests that wait for this one; `nil` if none can wait.
    let leader: CollapsedRequests.Leader?
    var times: ExchangeTimes
    /// The position in the removals at which the request was sent.
    let position: CacheRemovals.Position

    /// Creates the state of a request that is about to be sent.
    init(from cache: HTTPCache, entries: [CacheEntry] = [], leader: CollapsedRequests.Leader? = nil) {
        self.entries = entries
        self.leader = leader
        times = ExchangeTimes(request: cache.now(), response: 0)
        position = cache.removals.position
    }

    /// The response for the caller of a cache, and the report to the requests that wait for it.
    struct Result: Sendable {
        let response: TransportResponse
        let report: Report
    }

    /// The report of an outcome.
    enum Report: Sendable {
        /// The outcome is known and must be reported.
        case now(CollapsedRequests.Outcome)
        /// The writer of the body reports the outcome at the end of the body, which has already come if the body is in memory.
        case byBody
    }
}
