/// The state of a request that a cache sends: its purpose, its times, the stored entries, and the leader of the requests that wait for it.
struct CacheFetch: Sendable {
    let purpose: CacheDecision.Purpose
    /// The body of the stored part that the response completes; only for a completion.
    let part: TransportBody?
    /// The entries for the request's key, some of which the response may replace.
    let entries: [CacheEntry]
    /// Reports the outcome to the requests that wait for this one; `nil` if none can wait.
    let leader: CollapsedRequests.Leader?
    var times: ExchangeTimes
    /// The number of removals before the request was sent.
    let removalCount: CacheRemovals.Count

    /// Creates the state of a request that is about to be sent.
    init(
        from cache: HTTPCache,
        for purpose: CacheDecision.Purpose = .miss(fallback: nil),
        completing part: TransportBody? = nil,
        entries: [CacheEntry] = [],
        leader: CollapsedRequests.Leader? = nil
    ) {
        self.purpose = purpose
        self.part = part
        self.entries = entries
        self.leader = leader
        times = ExchangeTimes(request: cache.now(), response: 0)
        removalCount = cache.removals.count
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
        /// The `BodyRecorder` reports the outcome at the end of the body, which has already come if the body is in memory.
        case byRecorder
    }
}
