/// A request that a cache sends: its purpose, its time, and the reporter for the requests that wait for it.
struct CacheFetch: Sendable {
    /// A stored part whose rest is requested.
    struct Part: Sendable {
        let entry: CacheEntry
        let body: TransportBody
    }

    typealias Purpose = CacheDecision.Purpose<Part>

    let purpose: Purpose
    /// Reports the progress and the outcome; `nil` if no request can wait for this one.
    let reporter: CollapsedRequests.FetchReporter?
    /// The time before the request is sent, in seconds since 1970.
    let requestTime: Double
    /// The number of removals before the request is sent.
    let removalsBefore: UInt64

    /// Begins a fetch, and counts a miss; the response to a validation shows whether that is one.
    static func begin(
        in cache: HTTPCache,
        for purpose: Purpose = .load(fallback: nil),
        reporter: CollapsedRequests.FetchReporter? = nil
    ) -> CacheFetch {
        if !purpose.isValidation { cache.changeStatistics { $0.misses += 1 } }
        return CacheFetch(
            purpose: purpose,
            reporter: reporter,
            requestTime: cache.now(),
            removalsBefore: cache.removals.count
        )
    }

    /// Records the arrival of the response's head, and counts a miss if the server has not confirmed the response that the request
    /// validates.
    func recordHead(status: Int, in cache: HTTPCache) {
        if purpose.isValidation, status != 304 { cache.changeStatistics { $0.misses += 1 } }
        reporter?.recordResponse()
    }

    /// Returns the times of the exchange, if the response's head arrived at a time.
    func times(until responseTime: Double) -> ExchangeTimes {
        ExchangeTimes(requestTime: requestTime, responseTime: responseTime)
    }
}
