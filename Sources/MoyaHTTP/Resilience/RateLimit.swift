/// A limit on the rate of requests: a number of requests in a period of time.
///
/// A token bucket is a good limit for a server with an average rate: requests may be sent in a burst as long as there are tokens, and
/// then as fast as tokens are added. A sliding window is exact: no period of the given length has more requests. An adaptive limit learns
/// the rate from the server.
public struct RateLimit: Hashable, Sendable {
    enum Algorithm: Hashable, Sendable {
        case tokenBucket(burst: Int)
        case slidingWindow
        case adaptive
    }

    /// The number of requests in a period, from one to a million; of an adaptive limit, the minimum.
    public let requests: Int
    /// The period, from a millisecond to 31 days.
    public let period: Duration
    let algorithm: Algorithm

    private init(_ requests: Int, per period: Duration, _ algorithm: Algorithm) {
        self.requests = Self.clamped(requests)
        self.period = min(max(period, .milliseconds(1)), .seconds(31 * 24 * 3600))
        self.algorithm = algorithm
    }

    /// Creates a limit on the average rate.
    ///
    /// Numbers below one count as one: a limit cannot stop all requests.
    ///
    /// - Parameters:
    ///   - requests: The number of tokens that are added in a period, one after the other.
    ///   - period: The period.
    ///   - burst: The maximum number of tokens, which is also the first one; `nil` for the tokens of one period.
    /// - Returns: The limit.
    public static func tokenBucket(_ requests: Int, per period: Duration, burst: Int? = nil) -> RateLimit {
        RateLimit(requests, per: period, .tokenBucket(burst: clamped(burst ?? requests)))
    }

    /// Creates a limit for every period of the given length, wherever it begins.
    ///
    /// A number below one counts as one. Its memory grows with the number of requests in a period.
    public static func slidingWindow(_ requests: Int, per period: Duration) -> RateLimit {
        RateLimit(requests, per: period, .slidingWindow)
    }

    /// Creates a limit that adapts to the throttling responses of the server, as the retry mode `adaptive` of the AWS SDKs.
    ///
    /// There is no limit before the first response with the status 429 or 503, or with the status 403 and `Retry-After`. Such a response
    /// sets the rate to 70 % of the measured rate, or of the limit if that is lower. Then the rate grows with the time by the function of
    /// CUBIC (RFC 9438), up to twice the measured rate. It is never below one request in two seconds.
    public static func adaptive() -> RateLimit {
        RateLimit(AdaptiveRate.minimum.requests, per: AdaptiveRate.minimum.period, .adaptive)
    }

    private static func clamped(_ requests: Int) -> Int { min(max(requests, 1), 1_000_000) }
}

extension RateLimit: CustomStringConvertible {
    /// A text such as `10 requests per 1 s`, or `an adaptive rate`.
    public var description: String {
        if algorithm == .adaptive { return "an adaptive rate" }
        return "\(requests) \(requests == 1 ? "request" : "requests") per \(period.text)"
    }
}
