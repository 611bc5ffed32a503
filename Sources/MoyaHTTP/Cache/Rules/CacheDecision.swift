import HTTPTypes

/// The decision of a cache about a request (RFC 9111, section 4).
enum CacheDecision: Sendable {
    /// Use a stored response.
    case use(StoredUse)
    /// Use a stored response, and send the request for this purpose in the background (RFC 5861, section 3).
    case useAndRefresh(StoredUse, for: Purpose<CacheEntry>)
    /// Send the request.
    case send(for: Purpose<CacheEntry>)
    /// Do not send the request: it requires a stored response, and none can be used (RFC 9111, section 5.2.1.7).
    case unavailable

    /// The purpose for which a cache sends a request; a part is an entry, with its body once that is opened.
    enum Purpose<Part: Sendable>: Sendable {
        /// Get the response to the request, without additional fields. If the request fails, the fallback may be used.
        case load(fallback: CacheEntry?)
        /// Validate a stored response with these additional fields (RFC 9111, section 4.3).
        case validation(CacheEntry, adding: HTTPFields)
        /// Get the rest of a stored part with these additional fields (RFC 9111, section 3.4).
        case completion(Part, adding: HTTPFields)

        /// The fields that the cache adds to the request.
        var fields: HTTPFields {
            switch self {
            case .load: [:]
            case .validation(_, let fields), .completion(_, let fields): fields
            }
        }

        /// The stored response that may be used if the request fails.
        var fallback: CacheEntry? {
            switch self {
            case .load(let entry): entry
            case .validation(let entry, _): entry
            case .completion: nil
            }
        }

        var isValidation: Bool { if case .validation = self { true } else { false } }
    }
}
