import Foundation
import HTTPTypes

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The reaction of a cache to a response from the server.
enum CacheReaction: Equatable, Sendable {
    /// Return the stored response, which the server has confirmed (RFC 9111, section 4.3.3).
    case confirm
    /// Join the response and the stored part whose rest it is (RFC 9111, section 3.4).
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

extension CacheRules {
    /// Returns the effect of a response to HEAD, or of a 304 to conditions of the application, on a stored response.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - entry: The stored response.
    ///   - request: The request.
    ///   - times: The times of the request and the response.
    /// - Returns: The effect.
    static func effect(
        of response: TransportResponse,
        on entry: CacheEntry,
        to request: CacheRequest,
        at times: ExchangeTimes
    ) -> Effect {
        guard !request.control.noStore else { return .none }
        guard response.status == 304 else {
            return effectOfHead(
                response.headers,
                status: response.status,
                on: entry,
                to: request,
                at: times
            )
        }
        // A 304 without a validator does not say which response it is about.
        guard response.headers.contains(.eTag) || response.headers.contains(.lastModified) else { return .none }
        let freshened = freshened(
            entry.response,
            with: response.headers,
            to: request,
            at: times
        )
        return freshened.map { .freshen($0) } ?? .none
    }
}

extension CacheRequest {
    /// Whether equal requests may wait for the response to this one and use it.
    var isCollapsible: Bool {
        method == .get && !isReload && !control.noStore && !isValidationRequired && !hasConditions
            && !hasServerConditions && range == nil && policy != .reloadRevalidatingCacheData
    }
}

extension HTTPFields {
    /// Asks the caches between here and the server for the response that a policy wants.
    mutating func addCacheControl(for policy: URLRequest.CachePolicy) {
        guard !contains(.cacheControl) else { return }
        switch policy {
        case .reloadIgnoringLocalAndRemoteCacheData:
            self[.cacheControl] = "no-cache"
            if !contains(.pragma) { self[.pragma] = "no-cache" }
        case .reloadRevalidatingCacheData: self[.cacheControl] = "max-age=0"
        default: break
        }
    }
}
