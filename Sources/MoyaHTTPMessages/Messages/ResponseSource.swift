/// The source of a response.
public enum ResponseSource: String, Equatable, Sendable, CaseIterable {
    /// The response comes from the server or a stub. A part of its body may have been stored in the cache.
    case network
    /// The response comes from the cache and is fresh, or is the 504 of the cache to a request that may not be sent.
    case cache
    /// The response comes from the cache, after the server has confirmed that it is current (304).
    case revalidated
    /// The response comes from the cache and is stale: the request accepts a stale response, the response is refreshed in the background, or
    /// it takes the place of a failure or of an error of the server (5xx).
    case stale
    /// The response is a sample of the application, which takes the place of a failed request.
    case sample
}
