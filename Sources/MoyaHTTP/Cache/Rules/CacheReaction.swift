/// The reaction of a cache to a response from the server.
enum CacheReaction: Sendable {
    /// Return this stored response, which the server has confirmed (RFC 9111, section 4.3.3), or send the request again without the
    /// cache's fields if the 304 is about another response or the store has lost the body.
    case confirm(CacheEntry)
    /// Join the response and this stored part, whose rest it is (RFC 9111, section 3.4), or send the request again without the
    /// cache's fields if they do not belong together.
    case complete(CacheEntry)
    /// Freshen or remove the stored response, or keep it, and return the new one (RFC 9111, sections 4.3.4 and 4.3.5).
    case updateStored
    /// Return the response, and store it if its fields allow that (RFC 9111, section 3).
    case store
}
