import Foundation

/// The metrics of one request: its duration, its exchanges with servers, and the part of the cache.
///
/// A response has them if somebody asked for them before the request: ``SessionOptions/collectsMetrics``, or an event monitor whose
/// ``EventMonitor/detail`` includes them.
public struct RequestMetrics: Sendable {
    /// The beginning of the request by the monotonic clock.
    public let start: ContinuousClock.Instant
    /// The date of the beginning.
    public let date: Date
    /// The time from the beginning to the last byte of the response, or to the failure; `nil` while the request runs.
    public let duration: Duration?
    /// The exchanges with servers in the order in which they began: one for each attempt, redirect, answered challenge and hedge.
    ///
    /// They are empty for a stored response. Only the last ``maximumExchangeCount`` exchanges are kept.
    public let exchanges: [ExchangeMetrics]
    /// The number of all exchanges, including those that are not kept.
    public let exchangeCount: Int
    /// The number of retries.
    public let retryCount: Int
    /// The number of redirects that were followed in all attempts.
    public let redirectCount: Int
    /// The number of times that the request was sent again because it was lost with its connection, or not processed.
    public let resendCount: Int
    /// The part of the cache in the last attempt: ``ResponseSource/network`` if the cache had no response that could be used, and the
    /// source of the response otherwise; `nil` if no cache was asked.
    public let cacheResult: ResponseSource?

    /// The number of exchanges of a request that are kept.
    public static let maximumExchangeCount = 100

    /// Creates metrics, for tests.
    public init(
        start: ContinuousClock.Instant = .now,
        date: Date = Date(),
        duration: Duration? = nil,
        exchanges: [ExchangeMetrics] = [],
        exchangeCount: Int? = nil,
        retryCount: Int = 0,
        redirectCount: Int = 0,
        resendCount: Int = 0,
        cacheResult: ResponseSource? = nil
    ) {
        self.start = start
        self.date = date
        self.duration = duration
        self.exchanges = exchanges
        self.exchangeCount = exchangeCount ?? exchanges.count
        self.retryCount = retryCount
        self.redirectCount = redirectCount
        self.resendCount = resendCount
        self.cacheResult = cacheResult
    }

    /// The last exchange; `nil` if there was none.
    public var lastExchange: ExchangeMetrics? { exchanges.last }
}

/// A recorder of the metrics of one request.
package protocol RequestMetricsSource: AnyObject, Sendable {
    /// The metrics so far.
    var metrics: RequestMetrics { get }
}

/// The metrics of one exchange of a request.
public struct ExchangeMetrics: Sendable {
    /// The method.
    public let method: HTTPMethod
    /// The URL, which may contain secrets.
    public let url: URL
    /// The number of retries before the attempt of the exchange.
    public let retryCount: Int
    /// The number of redirects before the exchange in its attempt.
    public let redirectCount: Int
    /// The number of the hedge; 0 for the first exchange of a hedged request, and without hedging.
    public let hedge: Int
    /// Whether the exchange sends a request again that was lost with its connection, or not processed.
    public let isResent: Bool
    /// The status of the response; `nil` before the response, and without one.
    public let status: Int?
    /// The error without a response; `nil` otherwise.
    ///
    /// An error in the body of a response is the request's.
    public let error: (any Error)?
    /// The times, the connection and the sizes.
    public let timings: ExchangeTimings

    /// Creates metrics, for tests.
    public init(
        method: HTTPMethod = .get,
        url: URL,
        retryCount: Int = 0,
        redirectCount: Int = 0,
        hedge: Int = 0,
        isResent: Bool = false,
        status: Int? = nil,
        error: (any Error)? = nil,
        timings: ExchangeTimings = ExchangeTimings()
    ) {
        self.method = method
        self.url = url
        self.retryCount = retryCount
        self.redirectCount = redirectCount
        self.hedge = hedge
        self.isResent = isResent
        self.status = status
        self.error = error
        self.timings = timings
    }
}
