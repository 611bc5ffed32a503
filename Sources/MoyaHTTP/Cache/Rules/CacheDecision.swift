/// The decision of a cache about a request (RFC 9111, section 4).
///
/// The rules decide with a `StoredSelection`, and ``CacheResponder`` replaces it by the `TransportResponse` that the store has opened.
enum CacheDecision<Stored: Sendable>: Sendable {
    /// Use a stored response. If there is a purpose, send the request for it in the background (RFC 5861, section 3).
    case use(Stored, refreshingFor: FetchPurpose? = nil)
    /// Send the request.
    case send(for: FetchPurpose)
    /// Do not send the request: it requires a stored response, and none can be used (RFC 9111, section 5.2.1.7).
    case unavailable
}
