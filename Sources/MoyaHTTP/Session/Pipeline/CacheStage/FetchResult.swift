/// The result of a fetch: the response for the caller, and the outcome for the requests that wait.
struct FetchResult: Sendable {
    enum Outcome: Equatable, Sendable {
        /// The outcome is known, and ``CacheResponder/send(for:reporter:)`` reports it.
        case known(CollapsedRequests.Outcome)
        /// A ``BodyRecorder`` stores the body while it is read, and reports the outcome at its end.
        case reportedByRecorder
    }

    /// The response, which may be a stored one.
    let response: TransportResponse
    let outcome: Outcome
}

extension FetchResult {
    init(_ response: TransportResponse, _ outcome: CollapsedRequests.Outcome) {
        self.init(response: response, outcome: .known(outcome))
    }
}
