/// A request that a cache sends: its purpose, its time, and the reporter for the requests that wait for it.
struct CacheFetch: Sendable {
    let purpose: FetchPurpose
    /// The body of the stored part that a completion completes.
    let partBody: TransportBody?
    /// The stored response that this fetch validates, or that the fetch before it has validated without a result.
    let validatedEntry: CacheEntry?
    /// Reports the progress and the outcome; `nil` if no request can wait for this one.
    let reporter: CollapsedRequests.FetchReporter?
    /// The fields of the exchanges; `nil` if they are those of the request.
    let sentFields: SentFields?
    /// The idle time of the request before it is sent, which counts until the server responds.
    let idleBefore: Duration
    /// The time at which the cache passes the request on, in seconds since 1970.
    private let startDate: Double
    /// The same moment on the clock of ``TransportResponse/sendTime``.
    private let start: MonotonicTime
    /// The same moment in the history of removals.
    private let removalsAtStart: CacheRemovals.Moment

    /// Begins the fetch of a request that is about to be sent.
    init(
        in cache: HTTPCache,
        for purpose: FetchPurpose = .load(substitute: nil),
        partBody: TransportBody? = nil,
        validatedEntry: CacheEntry? = nil,
        reporter: CollapsedRequests.FetchReporter? = nil,
        sentFields: SentFields? = nil,
        idleBefore: Duration = .zero
    ) {
        self.purpose = purpose
        self.partBody = partBody
        self.validatedEntry = if case .validation(let entry, _) = purpose { entry } else { validatedEntry }
        self.reporter = reporter
        self.sentFields = sentFields
        self.idleBefore = idleBefore
        startDate = cache.now()
        start = .now
        removalsAtStart = cache.removals.currentMoment
    }

    /// Returns the times of the exchange with a response whose head arrived at `responseTime`.
    ///
    /// The time of the request is that of its sending (RFC 9111, section 4.2.3): a wait of the stages below, such as that for a rate limit
    /// or for another exchange, does not make the response older.
    func times(of response: TransportResponse, until responseTime: Double) -> ExchangeTimes {
        let wait = response.sendTime.map { ($0 - start) / .seconds(1) } ?? 0
        return ExchangeTimes(requestTime: startDate + max(0, wait), responseTime: responseTime)
    }

    /// Returns whether the stored responses with a key were removed after the start, so that the response must not be stored.
    func isOlderThanRemoval(of key: CacheKey) -> Bool { removalsAtStart.hasRemoved(key) }

    /// Returns the outcome of a fetch whose response is stored with a head.
    func outcome(ofStored head: CachedHead, for request: CacheRequest, now: Double) -> CollapsedRequests.Outcome {
        // Nobody gets the outcome of a fetch without a reporter.
        reporter == nil || CacheRules.canReuse(head, for: request, now: now) ? .stored : .needsValidation
    }

    /// Returns the stored response that a full response to its validation supersedes; `nil` if there is none.
    ///
    /// It does not remain in the store, even if the new response is not stored (RFC 9111, section 4.3.3).
    func supersededEntry(byStatus status: Int) -> CacheEntry? {
        CacheRules.canSupersedeStored(status: status) ? validatedEntry : nil
    }

    /// Returns whether a response may be stored with a head: no middleware has sent other credentials or selecting fields.
    func canStore(_ head: CachedHead, for request: CacheRequest) -> Bool {
        sentFields?.match(request, selecting: head.selectingFields) ?? true
    }
}

/// The result of a fetch: the response for the caller, and the outcome for the requests that wait.
struct FetchResult: Sendable {
    /// The end of a fetch for the requests that wait for it.
    enum End: Sendable {
        /// The fetch has ended, and ``CacheResponder/fetch(for:reporter:idleBefore:)`` reports this outcome.
        case known(CollapsedRequests.Outcome)
        /// The recorder stores the body while it is read, and reports the outcome.
        case recorded(BodyRecorder)
    }

    /// The response, which may be a stored one.
    let response: TransportResponse
    let end: End

    init(_ response: TransportResponse, _ outcome: CollapsedRequests.Outcome) {
        (self.response, end) = (response, .known(outcome))
    }

    init(_ response: TransportResponse, recordedBy recorder: BodyRecorder) {
        (self.response, end) = (response, .recorded(recorder))
    }
}
