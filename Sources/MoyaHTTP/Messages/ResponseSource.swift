/// Where a response comes from.
public enum ResponseSource: String, Equatable, Sendable, CaseIterable {
    /// From the server, or from a stub.
    case network
    /// From the cache, and fresh: no request was sent.
    case cache
    /// From the cache, after the server has confirmed that it is current (304).
    case revalidated
    /// From the cache, and stale: it is validated in the background, the server cannot be reached, or the request accepts it.
    case stale
}
