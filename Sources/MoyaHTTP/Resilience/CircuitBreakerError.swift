import Foundation

/// The error of an exchange that a ``CircuitBreaker`` has refused, and that was not sent.
///
/// It is found under `NSUnderlyingErrorKey` of a `URLError.resourceUnavailable`; see `URLError.circuitBreaker`. Such a request is
/// not retried.
public struct CircuitBreakerError: Error, Equatable, Sendable, MaskedError {
    /// The key of the request: an origin, or the result of the application's ``LimitKey``.
    public let key: String
    /// The time at which the circuit was opened, before all probes that have failed.
    public let since: Date
    /// The time at which the next request can be sent as a probe.
    ///
    /// If a probe is running, its success may allow requests earlier.
    public let until: Date
    /// The number of others that were refused since the circuit was opened.
    public let refused: Int

    /// Creates an error.
    public init(key: String, since: Date, until: Date, refused: Int) {
        (self.key, self.since, self.until, self.refused) = (key, since, until, refused)
    }

    /// A sentence with the key, the times and the number of refused requests.
    public var errorDescription: String? {
        masked(
            "The request was not sent: the circuit of \(key) has been open since \(since.ISO8601Format()), because too many requests failed, and allows the next one at \(until.ISO8601Format()). \(refused) others were refused."
        )
    }
}

extension URLError {
    /// The reason why a request was not sent: the open circuit of a ``CircuitBreaker``; `nil` for other errors.
    public var circuitBreaker: CircuitBreakerError? { userInfo[NSUnderlyingErrorKey] as? CircuitBreakerError }

    /// Whether a rate limiter or a circuit breaker has refused the exchange, which another attempt would not change soon.
    var isRefusal: Bool { rateLimit != nil || circuitBreaker != nil }
}
