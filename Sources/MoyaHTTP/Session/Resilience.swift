/// Limits of a session's requests, and the keys with which they can be repeated.
///
/// Each property is a stage of the pipeline and can be used alone. A stage whose property is `nil` or empty costs nothing.
public struct Resilience: Sendable {
    /// Limits the number of requests that run at the same time; `nil` for no limit.
    public var concurrencyLimit: ConcurrencyLimiter?
    /// Limits the rate of exchanges, and obeys the rate limits of servers; `nil` for no limit.
    public var rateLimit: RateLimiter?
    /// Limiters for some of the exchanges, such as those that change data: an exchange needs the permission of each, after that of
    /// ``rateLimit``, and in this order.
    ///
    /// An exchange counts when a limiter allows it, although a later limiter may delay it. One that a later limiter refuses does not count.
    public var furtherRateLimits: [RateLimiter] = []
    /// The keys of requests that are not idempotent, by which a server recognizes a repeated request; `nil` for no keys.
    public var idempotencyKeys: IdempotencyKeys?

    /// Creates settings without a limit.
    public init() {}
}
