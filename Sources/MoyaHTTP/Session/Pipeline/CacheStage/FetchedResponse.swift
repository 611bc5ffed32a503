/// The response to a fetch, for the caller of the cache.
struct FetchedResponse: Sendable {
    /// The state of the outcome of the fetch.
    enum Storing: Equatable, Sendable {
        /// The outcome is known, and must be reported.
        case ended(CollapsedRequests.Outcome)
        /// A `BodyRecorder` stores the body, and reports the outcome.
        case recording
    }

    let response: TransportResponse
    let storing: Storing
}
