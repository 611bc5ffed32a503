import Foundation

/// Decides whether a fallback is used after the result of a request.
enum FallbackRule {
    /// The result of a request, as far as fallbacks depend on it.
    enum Outcome: Sendable {
        /// A response with this status from the server of the request, or from another one after redirects.
        case status(Int, isRedirected: Bool)
        /// An error, and the delivery of the request that failed with it.
        case failure(any Error, RequestDelivery)
        /// The request was not sent, because its base URL is avoided for a time.
        case avoided(URL, for: Duration)
        /// A response that is final: it comes from the cache, or its body is in the file of a download.
        case final
    }

    /// Returns the reason why a fallback is used; `nil` if it is not.
    static func cause(for fallback: Fallback, after outcome: Outcome) -> Fallback.Cause? {
        switch (outcome, fallback.source) {
        case (.avoided(let url, let time), _):
            return .avoided(url, for: time)
        case (.status(let status, let isRedirected), .baseURLs):
            // After a redirect, the base URL has been reached.
            return !isRedirected && fallback.statuses.contains(status) ? .status(status) : nil
        case (.status(let status, _), .staleResponse), (.status(let status, _), .sample):
            return fallback.statuses.contains(status) ? .status(status) : nil
        case (.failure(let error, let delivery), .baseURLs):
            return [.refused, .notSent, .unknown].contains(delivery) ? .failure(error) : nil
        case (.failure(let error, let delivery), .staleResponse), (.failure(let error, let delivery), .sample):
            return delivery == .refused || CacheRules.allowsSubstitute(after: error) ? .failure(error) : nil
        case (.final, _):
            return nil
        }
    }

    /// Returns the result of a request for the health of its base URL.
    ///
    /// - Parameters:
    ///   - outcome: The outcome of the request.
    ///   - statuses: The statuses that count as failures.
    /// - Returns: The result.
    static func result(of outcome: Outcome, statuses: Set<Int>) -> BaseURLHealth.Result {
        switch outcome {
        case .status(let status, let isRedirected):
            !isRedirected && statuses.contains(status) ? .notReached : .reached
        case .failure(_, .notSent), .failure(_, .unknown): .notReached
        case .failure(_, .responded): .reached
        case .failure(_, .refused), .failure(_, .other), .avoided, .final: .unknown
        }
    }
}
