/// A limit on the rate of requests: a number of requests in a period of time.
///
/// A token bucket is a good limit for a server with an average rate: requests may be sent in a burst as long as there are tokens, and
/// then as fast as tokens are added. A sliding window is exact: no period of the given length has more requests.
public struct RateLimit: Hashable, Sendable {
    enum Algorithm: Hashable, Sendable {
        case tokenBucket(burst: Int)
        case slidingWindow
    }

    /// The number of requests in a period, from one to a million.
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

    private static func clamped(_ requests: Int) -> Int { min(max(requests, 1), 1_000_000) }
}

extension RateLimit: CustomStringConvertible {
    /// A text such as `10 requests per 1 s`.
    public var description: String { "\(requests) \(requests == 1 ? "request" : "requests") per \(period.text)" }
}
