/// The source of a response: the server, the cache or a sample.
public enum ResponseSource: String, Equatable, Sendable, CaseIterable {
    /// The response comes from the server or a stub, or is the 504 to a request with `only-if-cached`.
    case network
    /// The response comes from the cache and is fresh.
    case cache
    /// The response comes from the cache, after the server has confirmed that it is current (304).
    case revalidated
    /// The response comes from the cache and is stale: it is validated in the background, the server cannot be reached, or the request
    /// accepts a stale response.
    case stale
    /// The response is a sample of the application, which takes the place of a failed request.
    case sample
}
