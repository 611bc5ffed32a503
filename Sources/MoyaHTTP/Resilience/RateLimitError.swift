import Foundation

/// The error of a request that a ``RateLimiter`` has refused, and that was not sent.
///
/// It is found under `NSUnderlyingErrorKey` of a `URLError.resourceUnavailable`; see `URLError.rateLimit`. Such a request is not
/// retried.
public struct RateLimitError: Error, Equatable, Sendable, MaskedError {
    /// The reason for the error.
    public enum Reason: Hashable, Sendable {
        /// As many requests wait as may wait.
        case queueFull(maximum: Int)
        /// The request would have to wait for longer than it may: longer than ``RateLimiter/maximumWait``, or than its attempt's time.
        case longWait(Duration, allowed: Duration)
    }

    /// The reason for the error.
    public let reason: Reason
    /// The key of the request: an origin, or the result of the application's ``LimitKey``.
    public let key: String
    /// The limits of the application.
    public let limits: [RateLimit]
    /// Whether the server has set the end of the wait, by the fields of a response.
    public let isServerLimit: Bool
    /// The number of requests of the same key that wait.
    public let waiting: Int
    /// The time at which the request could be sent.
    public let until: Date

    /// Creates an error.
    public init(reason: Reason, key: String, limits: [RateLimit], isServerLimit: Bool, waiting: Int, until: Date) {
        (self.reason, self.key, self.limits) = (reason, key, limits)
        (self.isServerLimit, self.waiting, self.until) = (isServerLimit, waiting, until)
    }

    /// A sentence with the limit, the key, the number of waiting requests and the time.
    public var errorDescription: String? {
        let rules = limits.map(\.description).joined(separator: " and ")
        let limit = isServerLimit ? "the server's limit" : "the limit of \(rules)"
        let time = until.ISO8601Format()
        switch reason {
        case .queueFull(let maximum):
            return masked(
                "The request was not sent: \(waiting) others wait for \(limit) for \(key), and at most \(maximum) may. It could be sent at \(time)."
            )
        case .longWait(let wait, let allowed):
            return masked(
                "The request was not sent: \(limit) for \(key) allows it in \(wait.text), at \(time), and it may wait \(allowed.text)."
            )
        }
    }
}

extension URLError {
    /// The reason why a request was not sent: the limit of a ``RateLimiter``; `nil` for other errors.
    public var rateLimit: RateLimitError? { userInfo[NSUnderlyingErrorKey] as? RateLimitError }
}
