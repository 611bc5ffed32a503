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
