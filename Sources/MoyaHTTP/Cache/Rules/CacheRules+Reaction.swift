import HTTPTypes

extension CacheRules {
    /// Returns the reaction to a response.
    ///
    /// - Parameters:
    ///   - status: The status of the response.
    ///   - method: The method of the request: GET or HEAD.
    ///   - purpose: The purpose for which the cache has sent the request.
    /// - Returns: The reaction.
    static func reaction(
        to status: Int,
        method: HTTPMethod,
        purpose: CacheDecision.Purpose
    ) -> CacheReaction {
        switch purpose {
        case .validation(let entry, _) where status == 304:
            .confirm(entry)
        case .completion(let part, _) where [206, 304, 416].contains(status):
            // The caller has not asked for the range, so a 304 or 416 to it is not for the caller either.
            .complete(part)
        default:
            method == .head || status == 304 ? .updateStored : .store
        }
    }
}

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
