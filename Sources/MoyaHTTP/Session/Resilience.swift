/// Limits of a session's requests, the keys with which they can be repeated, and the responses in place of failed ones.
///
/// Each property is a stage of the pipeline and can be used alone. A stage whose property is `nil` or empty costs nothing.
public struct Resilience: Sendable {
    /// Limits the number of requests that run at the same time; `nil` for no limit.
    public var concurrencyLimit: ConcurrencyLimiter?
    /// Limits the rate of exchanges, and obeys the rate limits of servers; `nil` for no limit.
    public var rateLimit: RateLimiter?
    /// The keys of requests that are not idempotent, by which a server recognizes a repeated request; `nil` for no keys.
    public var idempotencyKeys: IdempotencyKeys?

    /// The responses in place of failed requests, the first one first: another server, a stored response or a sample; empty for none.
    public var fallbacks: [Fallback] = []

    /// Creates settings without a limit.
    public init() {}
}
