import HTTPTypes

/// The purpose for which a cache sends a request.
enum FetchPurpose: Sendable {
    /// Get the response to the request, without fields that validate or complete a stored response. If the request fails, the
    /// substitute may be used.
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
