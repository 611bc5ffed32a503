/// The response to a fetch, for the caller of the cache, and the outcome of the fetch.
struct FetchedResponse: Sendable {
    let response: TransportResponse
    /// The outcome, which must be reported; `nil` if a `BodyRecorder` reports it.
    let outcome: CollapsedRequests.Outcome?
}
