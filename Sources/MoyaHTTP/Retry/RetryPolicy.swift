import Foundation

/// A policy that retries requests after transient failures, with exponential back-off, within limits, and only if
/// repeating them is safe.
///
///     let session = Session(interceptor: RetryPolicy(retryLimit: 3))
///
/// A request is retried if all of these conditions hold:
/// - Its status or its `URLError` is one of the ``retryableHTTPStatusCodes`` or ``retryableURLErrorCodes``, whether
///   or not the caller accepts the status.
/// - Its method is one of the ``retryableHTTPMethods``, or it has an idempotency key (``Resilience/idempotencyKeys``, or the keys of
///   its target), or no server has received it (``retriesUnsentRequests``), or the server has reported that it has not processed it.
/// - Its body can be read again, and the request has not been cancelled.
/// - There were fewer than ``retryLimit`` retries, and the next one starts within the ``retryPeriod`` and within the
///   total time of the request (``RequestTimeouts/total``).
/// - The ``budget`` allows it.
///
/// The delay before retry *n*, counted from 0, is a random value between 0 and ``exponentialBackoffScale`` ×
/// ``exponentialBackoffBase``ⁿ seconds, and at most ``maximumDelay``. A longer `Retry-After` of the server is
/// respected. If it exceeds the limits, the request is not retried, since an earlier retry would ignore the
/// server's request.
///
/// Use one policy for a session: its copies share one budget.
public struct RetryPolicy: RequestInterceptor, PromptInterceptor, ReplaceableRetrier, StatusRetrier {
    /// The maximum number of retries of a request.
    public var retryLimit: UInt
    /// The factor by which each retry multiplies the maximum delay.
    public var exponentialBackoffBase: UInt
    /// The maximum delay before the first retry, in seconds.
    public var exponentialBackoffScale: Double
    /// The methods of requests that may be sent twice.
    public var retryableHTTPMethods: Set<HTTPMethod>
    /// The status codes after which a request is retried.
    public var retryableHTTPStatusCodes: Set<Int>
    /// The error codes after which a request is retried.
    ///
    /// `.cancelled` is ignored.
    public var retryableURLErrorCodes: Set<URLError.Code>
    /// The maximum delay, for the back-off and for `Retry-After`.
    public var maximumDelay: Duration
    /// The retry period: the maximum time from the start of a request, including all attempts and delays, to the start of its last
    /// attempt.
    public var retryPeriod: Duration
    /// Whether a request with any method is retried if no server has received it, because the host was not found or
    /// could not be connected to (allowed by RFC 9110, section 9.2.2).
    public var retriesUnsentRequests: Bool
    /// Whether `Retry-After` is respected (RFC 9110, section 10.2.3).
    public var respectsRetryAfter: Bool
    /// The limit on the retries of all requests together; nil for no limit.
    public var budget: RetryBudget?

    private let random: @Sendable () -> Double
    private let now: @Sendable () -> Date

    /// Creates a policy.
    ///
    /// `random` returns random numbers from 0 to 1, and `now` the current time, for dates in `Retry-After`. The properties of the
    /// same names describe the other parameters.
    public init(
        retryLimit: UInt = RetryPolicy.defaultRetryLimit,
        exponentialBackoffBase: UInt = RetryPolicy.defaultExponentialBackoffBase,
        exponentialBackoffScale: Double = RetryPolicy.defaultExponentialBackoffScale,
        retryableHTTPMethods: Set<HTTPMethod> = RetryPolicy.defaultRetryableHTTPMethods,
        retryableHTTPStatusCodes: Set<Int> = RetryPolicy.defaultRetryableHTTPStatusCodes,
        retryableURLErrorCodes: Set<URLError.Code> = RetryPolicy.defaultRetryableURLErrorCodes,
        maximumDelay: Duration = .seconds(30),
        retryPeriod: Duration = .seconds(180),
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
        self.retryPeriod = retryPeriod
        self.retriesUnsentRequests = retriesUnsentRequests
        self.respectsRetryAfter = respectsRetryAfter
        self.budget = budget
        self.random = random
        self.now = now
    }

    /// Decides whether to retry, and counts the outcome of the attempt in the ``budget``.
    public func retry(_ attempt: RequestAttempt, for session: Session) async -> RetryResult {
        switch budgetedDecision(for: attempt) {
        case .retry(.zero): .retry
        case .retry(let delay): .retryWithDelay(delay / .seconds(1))
        case .doNotRetry: .doNotRetry
        }
    }

    /// Returns the decision after the budget, which counts the outcome of each attempt.
    func budgetedDecision(for attempt: RequestAttempt) -> RetryDecision {
        let decision = decision(for: attempt, now: now(), random: random())
        let isRetryWanted = if case .retry = decision { true } else { false }
        let end = AttemptEnd(
            outcome: countedOutcome(of: attempt, wantsRetry: isRetryWanted),
            isFirst: attempt.retryCount == 0,
            isBodyFailure: attempt.isBodyFailure
        )
        let isAllowed = countInBudget(end, of: attempt.record)
        return isRetryWanted && !isAllowed ? .doNotRetry(.budget) : decision
    }

    func canRetry(status: Int) -> Bool { retryableHTTPStatusCodes.contains(status) }

    /// Counts a response whose status is not retryable, as ``budgetedDecision(for:)`` does, but without reading the response.
    func countFinalResponse(status: Int, of record: RequestRecord) {
        _ = countInBudget(
            AttemptEnd(outcome: Self.outcome(ofFinal: status), isFirst: record.retryCount == 0),
            of: record
        )
    }

    /// Counts the end of an attempt, and returns whether the request may be retried.
    private func countInBudget(_ end: AttemptEnd, of record: RequestRecord) -> Bool {
        guard let budget else { return true }
        // The attempts of a request end one after the other, so that no other one changes the account meanwhile.
        let account = record.retryAccount(in: ObjectIdentifier(budget))
        var newAccount = account
        let isAllowed = budget.decideRetry(after: end, &newAccount)
        if newAccount != account { record.setRetryAccount(newAccount, in: ObjectIdentifier(budget)) }
        return isAllowed
    }

    private static func outcome(ofFinal status: Int) -> AttemptEnd.Outcome {
        (200..<300).contains(status) ? .success : .other
    }

    /// Returns the outcome of an attempt as the budget counts it.
    private func countedOutcome(of attempt: RequestAttempt, wantsRetry: Bool) -> AttemptEnd.Outcome {
        let isRetryable = objection(to: attempt.outcome) == nil
        switch attempt.outcome {
        case .response(let status, _):
            if isRetryable { return .failure(status == 429 ? .throttling : .other, wantsRetry: wantsRetry) }
            return Self.outcome(ofFinal: status)
        case .failure(let error):
            guard isRetryable else { return .other }
            return .failure(error.asURLError?.code == .timedOut ? .timeout : .other, wantsRetry: wantsRetry)
        }
    }
}

extension RetryPolicy {
    /// The default maximum number of retries: 2.
    public static let defaultRetryLimit: UInt = 2
    /// The default factor of the back-off: 2.
    public static let defaultExponentialBackoffBase: UInt = 2
    /// The default maximum delay before the first retry: 0.5 seconds.
    public static let defaultExponentialBackoffScale: Double = 0.5
    /// The idempotent methods (RFC 9110, section 9.2.2): `GET`, `HEAD`, `OPTIONS`, `TRACE`, `PUT` and `DELETE`, and
    /// `QUERY`.
    public static let defaultRetryableHTTPMethods = Set(
        [HTTPMethod.get, .head, .options, .trace, .put, .delete, .query].filter(\.isIdempotent)
    )
    /// The default retryable status codes: 408, 425, 429, 500, 502, 503 and 504.
    public static let defaultRetryableHTTPStatusCodes = Set(RetryableStatus.reasons.keys)
    /// The default retryable errors: timeouts, failed or lost connections, and damaged responses.
    public static let defaultRetryableURLErrorCodes = Set(
        RetryableError.all.filter { $0.chance != .none }.map(\.code)
    )
}

extension RetryPolicy {
    /// Returns the decision of ``retry(_:for:)`` without the ``budget``, for tests and logs.
    ///
    /// - Parameters:
    ///   - attempt: The attempt and its outcome.
    ///   - now: The time that a date in `Retry-After` is relative to.
    ///   - random: The fraction of the maximum delay, from 0 to 1.
    /// - Returns: The decision.
    public func decision(for attempt: RequestAttempt, now: Date, random: Double) -> RetryDecision {
        if let reason = objection(to: attempt) { return .doNotRetry(reason) }
        guard attempt.retryCount < retryLimit else { return .doNotRetry(.retryLimit) }

        let backoff = RetryBackoff(base: exponentialBackoffBase, scale: exponentialBackoffScale, maximum: maximumDelay)
        var delay = backoff.delay(retryCount: attempt.retryCount, random: random)
        if respectsRetryAfter, case .response(_, let headers) = attempt.outcome,
            let asked = RetryAfter(headers, now: now)?.delay
        {
            guard asked <= maximumDelay else { return .doNotRetry(.retryAfter) }
            delay = max(delay, asked)
        }
        guard attempt.elapsed + attempt.timeBeforeDelay + delay < retryPeriod,
            attempt.timeLeft.map({ delay < $0 }) ?? true
        else {
            return .doNotRetry(.noTimeLeft)
        }
        return .retry(after: delay)
    }

    /// Returns the reason why an attempt must not, or need not, be repeated, apart from limits.
    ///
    /// ``RetryStage`` prevents the retry of a cancelled request, and of a body that can be read only once, for every retrier. The policy
    /// checks both as well, so that it can return the reason, and takes nothing from the budget.
    private func objection(to attempt: RequestAttempt) -> RetryDecision.Reason? {
        if let reason = objection(to: attempt.outcome) { return reason }
        guard attempt.isBodyRepeatable else { return .bodyNotRepeatable }
        let method = HTTPMethod(rawValue: attempt.originalRequest.httpMethod ?? "GET")
        guard
            retryableHTTPMethods.contains(method) || attempt.hasIdempotencyKey || attempt.isUnprocessed
                || retriesUnsentRequests && attempt.isUnsent
        else {
            return .method
        }
        return nil
    }

    /// Returns the reason why an outcome is not retryable.
    private func objection(to outcome: RequestAttempt.Outcome) -> RetryDecision.Reason? {
        switch outcome {
        case .response(let status, _):
            return retryableHTTPStatusCodes.contains(status) ? nil : .status(status)
        case .failure(let error):
            if error is CancellationError { return .cancelled }
            guard let code = error.asURLError?.code else { return .error }
            guard code != .cancelled else { return .cancelled }
            return retryableURLErrorCodes.contains(code) ? nil : .error
        }
    }
}

extension RequestAttempt {
    /// Whether the server has reported that it did not process the request, so that a retry is safe for any method
    /// (RFC 9113, section 8.7).
    fileprivate var isUnprocessed: Bool {
        guard case .failure(let error) = outcome else { return false }
        return error.asURLError?.isRequestUnprocessed ?? false
    }

    /// Whether the error means that no server has received the request.
    fileprivate var isUnsent: Bool {
        guard case .failure(let error) = outcome, let code = error.asURLError?.code else { return false }
        return Self.unsent.contains(code)
    }

    private static let unsent = Set(RetryableError.all.filter { $0.chance == .notSent }.map(\.code))
}

/// A policy that retries only requests whose connection was lost.
///
/// Servers close idle connections, possibly while a request is on its way. Only idempotent methods are retried,
/// since the server may have received the request.
public struct ConnectionLostRetryPolicy: RequestInterceptor, PromptInterceptor, ReplaceableRetrier {
    /// The underlying policy.
    public let policy: RetryPolicy

    /// Creates a policy.
    ///
    /// - Parameters:
    ///   - retryLimit: The maximum number of retries of a request.
    ///   - exponentialBackoffBase: The factor by which each retry multiplies the maximum delay.
    ///   - exponentialBackoffScale: The maximum delay before the first retry, in seconds.
    ///   - retryableHTTPMethods: The methods of requests that may be sent twice.
    ///   - budget: The limit on the retries of all requests together; nil for no limit.
    public init(
        retryLimit: UInt = RetryPolicy.defaultRetryLimit,
        exponentialBackoffBase: UInt = RetryPolicy.defaultExponentialBackoffBase,
        exponentialBackoffScale: Double = RetryPolicy.defaultExponentialBackoffScale,
        retryableHTTPMethods: Set<HTTPMethod> = RetryPolicy.defaultRetryableHTTPMethods,
        budget: RetryBudget? = RetryBudget()
    ) {
        policy = RetryPolicy(
            retryLimit: retryLimit,
            exponentialBackoffBase: exponentialBackoffBase,
            exponentialBackoffScale: exponentialBackoffScale,
            retryableHTTPMethods: retryableHTTPMethods,
            retryableHTTPStatusCodes: [],
            retryableURLErrorCodes: [.networkConnectionLost],
            budget: budget
        )
    }

    /// Decides whether to retry, and counts the attempt in the budget.
    public func retry(_ attempt: RequestAttempt, for session: Session) async -> RetryResult {
        await policy.retry(attempt, for: session)
    }
}
