/// A request that a cache sends: its purpose, its time, and the reporter for the requests that wait for it.
struct CacheFetch: Sendable {
    let purpose: CacheDecision.Purpose
    /// The body of the stored part that the response completes; only for a completion.
    let partBody: TransportBody?
    /// Reports the progress and the outcome; `nil` if no request can wait for this one.
    let reporter: CollapsedRequests.FetchReporter?
    /// The time before the request is sent, in seconds since 1970.
    let requestTime: Double
    /// The number of removals before the request is sent.
    let removalsBefore: UInt64

    /// Begins a fetch, and counts a miss, also for a completion; the response to a validation shows whether that is one.
    static func begin(
        in cache: HTTPCache,
        for purpose: CacheDecision.Purpose = .miss(fallback: nil),
        completing partBody: TransportBody? = nil,
        reporter: CollapsedRequests.FetchReporter? = nil
    ) -> CacheFetch {
        if !purpose.isValidation { cache.count { $0.misses += 1 } }
        return CacheFetch(
            purpose: purpose,
            partBody: partBody,
            reporter: reporter,
            requestTime: cache.now(),
            removalsBefore: cache.removals.count
        )
    }

    /// Records that the head of the response has arrived, counts a miss if the server has not confirmed the stored response of a
    /// validation, and returns the times of the fetch.
    func receivedHead(status: Int, in cache: HTTPCache) -> ExchangeTimes {
        if purpose.isValidation, status != 304 { cache.count { $0.misses += 1 } }
        reporter?.recordResponse()
        return ExchangeTimes(request: requestTime, response: cache.now())
    }
}
