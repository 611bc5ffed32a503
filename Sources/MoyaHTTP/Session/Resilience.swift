/// Limits of a session's requests, hedges of slow ones, and the keys with which they can be repeated.
///
/// Each property is a stage of the pipeline and can be used alone. A stage whose property is `nil` costs nothing.
public struct Resilience: Sendable {
    /// Limits the number of requests that run at the same time; `nil` for no limit.
    public var concurrencyLimit: ConcurrencyLimiter?
    /// Limits the rate of exchanges, and obeys the rate limits of servers; `nil` for no limit.
    public var rateLimit: RateLimiter?
    /// Sends slow requests again; `nil` for no hedges.
    public var hedging: Hedging?
    /// The keys of requests that are not idempotent, by which a server recognizes a repeated request; `nil` for no keys.
    public var idempotencyKeys: IdempotencyKeys?

    /// Creates settings in which all properties are `nil`.
    public init() {}
}
