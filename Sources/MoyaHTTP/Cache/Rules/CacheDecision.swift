import HTTPTypes

/// The decision of a cache about a request (RFC 9111, section 4).
enum CacheDecision: Sendable {
    /// Use a stored response.
    case use(StoredSelection)
    /// Use a stored response, and send the request for this purpose in the background (RFC 5861, section 3).
    case useAndRefresh(StoredSelection, for: Purpose)
    /// Send the request.
    case send(for: Purpose)
    /// Do not send the request: it requires a stored response, and none can be used (RFC 9111, section 5.2.1.7).
    case unavailable

    /// The purpose for which a cache sends a request.
    enum Purpose: Sendable {
        /// Get the response to the request, without fields that validate or complete a stored response. If the request fails, the substitute
        /// may be used.
        case load(substitute: CacheEntry?)
        /// Validate a stored response with these additional fields (RFC 9111, section 4.3).
        case validation(CacheEntry, adding: HTTPFields)
        /// Get the rest of a stored part with these additional fields (RFC 9111, section 3.4).
        case completion(CacheEntry, adding: HTTPFields)

        /// The fields that the cache adds to the request.
        var fields: HTTPFields {
            switch self {
            case .load: [:]
            case .validation(_, let fields), .completion(_, let fields): fields
            }
        }

        /// The stored response that may be used if the request fails.
        var substitute: CacheEntry? {
            switch self {
            case .load(let entry): entry
            case .validation(let entry, _): entry
            case .completion: nil
            }
        }
    }
}
