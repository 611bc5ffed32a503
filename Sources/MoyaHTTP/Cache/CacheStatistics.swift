/// The counts of a cache's operations since its creation.
///
/// Each response of a server or of the store to a GET or HEAD without a body is one of the ``hits``, ``revalidations`` or ``misses``.
/// A request may have several, for example a redirect and the response to its target, or a challenge. The 504 of the cache itself, to a
/// request that may not be sent, the samples of a ``Fallback``, and responses to a request for a WebSocket are not counted. A refresh in
/// the background adds one to the ``revalidations`` if the server confirms the stored response.
public struct CacheStatistics: Equatable, Sendable {
    /// The number of responses that came from the store without a confirmation by a server, including those used after a failed
    /// request.
    public var hits = 0
    /// The number of hits with a stale response.
    public var staleHits = 0
    /// The number of stored responses that a server has confirmed (304).
    public var revalidations = 0
    /// The number of responses that came from the server, which include those that complete a stored part.
    public var misses = 0
    /// The number of times that a request has waited for an equal one.
    public var collapsed = 0
    /// The number of responses that were stored.
    public var stored = 0
    /// The number of failed operations of the store.
    public var storeErrors = 0

    /// Creates statistics with zeros.
    public init() {}

    /// Counts a response by its source.
    mutating func countResponse(from source: ResponseSource) {
        switch source {
        case .revalidated: revalidations += 1
        case .stale:
            hits += 1
            staleHits += 1
        case .cache: hits += 1
        case .network: misses += 1
        case .sample: break
        }
    }
}
