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
        purpose: FetchPurpose
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
