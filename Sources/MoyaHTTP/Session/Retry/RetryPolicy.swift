import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Repeats requests that failed in a way that passes: with exponential back-off, within limits, and only where a second
/// request does no harm.
///
///     let session = Session(interceptor: RetryPolicy(retryLimit: 3))
///
/// A request is repeated if all of this holds:
/// - its status or its `URLError` is among ``retryableHTTPStatusCodes`` or ``retryableURLErrorCodes``, whether or not the
///   caller accepts the status;
/// - its method is among ``retryableHTTPMethods``, or no server has got it (``retriesUnsentRequests``);
/// - its body can be read once more, and nobody has cancelled it;
/// - there were fewer than ``retryLimit`` retries, and the next one begins within ``maximumTotalTime``;
/// - the ``budget`` allows it.
///
/// The wait before retry *n*, counted from 0, is at random between nothing and ``exponentialBackoffScale`` ×
/// ``exponentialBackoffBase``ⁿ seconds, at most ``maximumDelay``. A server that asks for a longer one with `Retry-After`
/// gets it; if it asks for more than the limits allow, the request is not repeated, since to come early is what it asked
/// not to do.
///
/// Use one policy for a session: its copies share one budget.
public struct RetryPolicy: RequestInterceptor {
    /// How often a request is repeated at most.
    public var retryLimit: UInt
    /// What each retry multiplies the longest wait with.
    public var exponentialBackoffBase: UInt
    /// The longest wait before the first retry, in seconds.
    public var exponentialBackoffScale: Double
    /// The methods of requests that may be sent twice.
    public var retryableHTTPMethods: Set<HTTPMethod>
    /// The statuses that are worth another try.
    public var retryableHTTPStatusCodes: Set<Int>
    /// The errors that are worth another try. `.cancelled` never is.
    public var retryableURLErrorCodes: Set<URLError.Code>
    /// The longest wait, whatever the back-off comes to and the server asks for.
    public var maximumDelay: Duration
    /// How long a request may have taken, with all tries and waits, when its last try begins.
    public var maximumTotalTime: Duration
    /// Whether a request of any method is repeated if the error says that no server has got it: the host could not be
    /// found or connected to (RFC 9110, section 9.2.2, allows it).
    public var retriesUnsentRequests: Bool
    /// Whether `Retry-After` is looked at (RFC 9110, section 10.2.3).
    public var respectsRetryAfter: Bool
    /// What bounds the retries of all requests together; nil for no bound.
    public var budget: RetryBudget?

    private let random: @Sendable () -> Double
    private let now: @Sendable () -> Date

    /// Makes a policy.
    ///
    /// - Parameters:
    ///   - retryLimit: How often a request is repeated at most.
    ///   - exponentialBackoffBase: What each retry multiplies the longest wait with.
    ///   - exponentialBackoffScale: The longest wait before the first retry, in seconds.
    ///   - retryableHTTPMethods: The methods of requests that may be sent twice.
    ///   - retryableHTTPStatusCodes: The statuses that are worth another try.
    ///   - retryableURLErrorCodes: The errors that are worth another try.
    ///   - maximumDelay: The longest wait.
    ///   - maximumTotalTime: How long a request may have taken when its last try begins.
    ///   - retriesUnsentRequests: Whether the method does not matter if no server has got the request.
    ///   - respectsRetryAfter: Whether `Retry-After` is looked at.
    ///   - budget: What bounds the retries of all requests together; nil for no bound.
    ///   - random: Gives numbers from 0 to 1.
    ///   - now: The time of day, which dates in `Retry-After` are compared to.
    public init(
        retryLimit: UInt = RetryPolicy.defaultRetryLimit,
        exponentialBackoffBase: UInt = RetryPolicy.defaultExponentialBackoffBase,
        exponentialBackoffScale: Double = RetryPolicy.defaultExponentialBackoffScale,
        retryableHTTPMethods: Set<HTTPMethod> = RetryPolicy.defaultRetryableHTTPMethods,
        retryableHTTPStatusCodes: Set<Int> = RetryPolicy.defaultRetryableHTTPStatusCodes,
        retryableURLErrorCodes: Set<URLError.Code> = RetryPolicy.defaultRetryableURLErrorCodes,
        maximumDelay: Duration = .seconds(30),
        maximumTotalTime: Duration = .seconds(180),
        retriesUnsentRequests: Bool = false,
        respectsRetryAfter: Bool = true,
        budget: RetryBudget? = RetryBudget(),
        random: @escaping @Sendable () -> Double = { .random(in: 0...1) },
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.retryLimit = retryLimit
        self.exponentialBackoffBase = exponentialBackoffBase
        self.exponentialBackoffScale = exponentialBackoffScale
        self.retryableHTTPMethods = retryableHTTPMethods
        self.retryableHTTPStatusCodes = retryableHTTPStatusCodes
        self.retryableURLErrorCodes = retryableURLErrorCodes
        self.maximumDelay = maximumDelay
        self.maximumTotalTime = maximumTotalTime
        self.retriesUnsentRequests = retriesUnsentRequests
        self.respectsRetryAfter = respectsRetryAfter
        self.budget = budget
        self.random = random
        self.now = now
    }

    /// Decides, and takes note of the attempt in the ``budget``.
    public func retry(_ attempt: RequestAttempt, for session: Session) async -> RetryResult {
        switch budgetedDecision(for: attempt) {
        case .retry(.zero): .retry
        case .retry(let delay): .retryWithDelay(delay / .seconds(1))
        case .doNotRetry: .doNotRetry
        }
    }

    /// The decision, once the budget has been asked: it counts all first tries, and pays for all retries.
    func budgetedDecision(for attempt: RequestAttempt) -> RetryDecision {
        if attempt.retryCount == 0 { budget?.deposit() }
        let decision = decision(for: attempt, now: now(), random: random())
        guard case .retry = decision, let budget, !budget.withdraw() else { return decision }
        return .doNotRetry(.budget)
    }
}

extension RetryPolicy {
    /// 2.
    public static let defaultRetryLimit: UInt = 2
    /// 2: the longest wait doubles with each retry.
    public static let defaultExponentialBackoffBase: UInt = 2
    /// Half a second.
    public static let defaultExponentialBackoffScale: Double = 0.5
    /// Those that are idempotent (RFC 9110, section 9.2.2): `GET`, `HEAD`, `OPTIONS`, `TRACE`, `PUT` and `DELETE`, and
    /// `QUERY`.
    public static let defaultRetryableHTTPMethods = Set(
        [HTTPMethod.get, .head, .options, .trace, .put, .delete, .query].filter(\.isIdempotent)
    )
    /// 408, 425, 429, 500, 502, 503 and 504.
    public static let defaultRetryableHTTPStatusCodes = Set(RetryableStatus.reasons.keys)
    /// Time-outs, connections that could not be made or were lost, and answers that were damaged on their way.
    public static let defaultRetryableURLErrorCodes = Set(
        RetryableError.all.filter { $0.chance != .none }.map(\.code)
    )
}
