import HTTPTypes

/// The reaction of a cache to a response from the server.
enum CacheReaction: Equatable, Sendable {
    /// Return the stored response, which the server has confirmed (RFC 9111, section 4.3.3), or send the request again without the
    /// cache's fields if the 304 is about another response or the store has lost the body.
    case confirm
    /// Join the response and the stored part whose rest it is (RFC 9111, section 3.4), or send the request again without the cache's
    /// fields if they do not belong together.
    case complete
    /// Freshen the stored response, and return the new one (RFC 9111, sections 4.3.4 and 4.3.5).
    case freshen
    /// Return the response, and store it if its fields allow that (RFC 9111, section 3).
    case store

    /// Decides by the status.
    ///
    /// - Parameters:
    ///   - status: The status of the response.
    ///   - method: The method of the request: GET or HEAD.
    ///   - isValidation: Whether the cache has added conditions to the request.
    ///   - isCompletion: Whether the cache has asked for the rest of a stored part.
    init(to status: Int, method: HTTPMethod, isValidation: Bool, isCompletion: Bool) {
        self =
            if isValidation, status == 304 {
                .confirm
            } else if isCompletion, [206, 304, 416].contains(status) {
                // The caller has not asked for the range, so a 304 or 416 to it is not for the caller either.
                .complete
            } else if method == .head || status == 304 {
                .freshen
            } else {
                .store
            }
    }

    /// Returns whether a stale response may be used in place of one with this status (RFC 5861, section 4).
    static func isFailure(_ status: Int) -> Bool { [500, 502, 503, 504].contains(status) }
}
