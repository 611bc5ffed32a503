import Foundation

/// The error of a request that has got no permit of a ``ConcurrencyLimiter``, and that was not sent.
///
/// It is found under `NSUnderlyingErrorKey` of a `URLError`, whose code is `.timedOut` after a wait and `.resourceUnavailable`
/// otherwise; see `URLError.concurrencyLimit`.
public struct ConcurrencyLimitError: Error, Equatable, Sendable, MaskedError {
    /// The reason for the error.
    public enum Reason: Hashable, Sendable {
        /// As many requests wait as may wait.
        case queueFull(maximum: Int)
        /// The request has waited for the maximum time.
        case longWait(Duration)
    }

    /// The reason for the error.
    public let reason: Reason
    /// The key of the request: an origin, or the result of the application's ``LimitKey``.
    public let key: String
    /// The number of requests that may run at the same time.
    public let permits: Int
    /// The number of requests of the same key that wait.
    public let waiting: Int

    /// Creates an error.
    public init(reason: Reason, key: String, permits: Int, waiting: Int) {
        (self.reason, self.key, self.permits, self.waiting) = (reason, key, permits, waiting)
    }

    /// A sentence with the limit, the key and the number of waiting requests.
    public var errorDescription: String? {
        switch reason {
        case .queueFull(let maximum):
            masked(
                "The request was not sent: \(permits) requests for \(key) run, \(waiting) others wait, and at most \(maximum) may wait."
            )
        case .longWait(let wait):
            masked(
                "The request was not sent: it waited \(wait.text) for one of \(permits) permits for \(key), and \(waiting) others still wait."
            )
        }
    }
}

extension URLError {
    /// The reason why a request was not sent: the limit of a ``ConcurrencyLimiter``; `nil` for other errors.
    public var concurrencyLimit: ConcurrencyLimitError? { userInfo[NSUnderlyingErrorKey] as? ConcurrencyLimitError }
}
