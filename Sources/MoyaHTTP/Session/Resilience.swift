/// Limits, retries, circuit breakers and hedges of a session's requests, the keys with which they can be repeated, and the
/// responses in place of failed ones.
///
/// Each property can be used alone. A property that is not set costs nothing.
public struct Resilience: Sendable {
    /// Limits the number of requests that run at the same time; `nil` for no limit.
    public var concurrencyLimit: ConcurrencyLimiter?
    /// Limits the rate of exchanges, and obeys the rate limits of servers; `nil` for no limit.
    public var rateLimit: RateLimiter?
    /// Limiters for some of the exchanges, such as those that change data: an exchange needs the permission of each, after that of
    /// ``rateLimit``, and in this order.
    ///
    /// An exchange counts when a limiter allows it, although a later limiter may delay it. One that a later limiter refuses does
    /// not count.
    public var furtherRateLimits: [RateLimiter] = []
    /// Stops exchanges with servers that fail; `nil` to send all of them.
    public var circuitBreaker: CircuitBreaker?
    /// Sends slow requests again; `nil` for no hedges.
    public var hedging: Hedging?
    /// Decides whether a failed request is sent again, after the interceptors of the session; `nil` for no further retrier.
    ///
    /// A ``RetryPolicy`` is the usual retrier. An interceptor of the session or of a provider may have one, too.
    public var retrier: (any RequestRetrier)?
    /// The keys of requests that are not idempotent, by which a server recognizes a repeated request; `nil` for no keys.
    public var idempotencyKeys: IdempotencyKeys?
    /// The maximum times of requests whose targets and providers set no others; there are none by default.
    public var timeouts = RequestTimeouts()
    /// The responses in place of failed requests, the first one first: another server, a stored response or a sample; empty for
    /// none.
    public var fallbacks: [Fallback] = []

    /// Creates settings in which no property is set.
    public init() {}
}
