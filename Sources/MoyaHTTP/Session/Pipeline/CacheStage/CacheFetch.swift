/// A request that a cache sends: its purpose, its time, and the reporter for the requests that wait for it.
struct CacheFetch: Sendable {
    let purpose: CacheDecision.Purpose
    /// The body of the stored part that a completion completes.
    let partBody: TransportBody?
    /// Reports the progress and the outcome; `nil` if no request can wait for this one.
    let reporter: CollapsedRequests.FetchReporter?
    /// The fields of the exchanges; `nil` if they are those of the request.
    let sentFields: SentFields?
    /// The time before the request is sent, in seconds since 1970.
    let requestTime: Double
    /// The time before the request is sent, in the history of removals.
    let removals: CacheRemovals.Mark

    /// Begins the fetch of a request that is about to be sent, and counts a miss.
    ///
    /// A validation is a miss only if its response is not a 304.
    init(
        in cache: HTTPCache,
        for purpose: CacheDecision.Purpose = .load(fallback: nil),
        partBody: TransportBody? = nil,
        reporter: CollapsedRequests.FetchReporter? = nil,
        sentFields: SentFields? = nil
    ) {
        self.purpose = purpose
        self.partBody = partBody
        self.reporter = reporter
        self.sentFields = sentFields
        requestTime = cache.now()
        removals = cache.removals.mark
        if !purpose.isValidation { cache.changeStatistics { $0.misses += 1 } }
    }

    /// Returns the times of the exchange whose response head arrived at `responseTime`.
    func times(until responseTime: Double) -> ExchangeTimes {
        ExchangeTimes(requestTime: requestTime, responseTime: responseTime)
    }

    /// Returns whether a response may be stored with a head: no middleware has sent other credentials or selecting fields.
    func canStore(_ head: CachedHead, for request: CacheRequest) -> Bool {
        sentFields?.match(request, selecting: head.selectingFields) ?? true
    }
}

/// The result of a fetch: the response for the caller, and the outcome for the requests that wait.
struct FetchResult: Sendable {
    /// The response, which may be a stored one.
    let response: TransportResponse
    /// The outcome, which ``CacheResponder/fetch(for:reporter:)`` reports; `nil` if the ``recorder`` reports it.
    let knownOutcome: CollapsedRequests.Outcome?
    /// Stores the body while it is read, and reports the outcome at its end; `nil` if the outcome is known.
    let recorder: BodyRecorder?

    init(_ response: TransportResponse, _ outcome: CollapsedRequests.Outcome) {
        (self.response, knownOutcome, recorder) = (response, outcome, nil)
    }

    init(_ response: TransportResponse, recordedBy recorder: BodyRecorder) {
        (self.response, knownOutcome, self.recorder) = (response, nil, recorder)
    }
}
