/// A limit on the retries and hedges of all requests together, which keeps clients from overloading a failing server.
///
/// Without a limit, a policy with three retries quadruples the load of a failing server. The default budget adds a
/// fifth: five requests earn one retry. In addition it allows ten retries per second, for clients with few
/// requests. ``quota(capacity:retryCost:timeoutCost:throttlingCost:)`` and ``throttling(maximumTokens:tokenRatio:)`` create budgets
/// with the rules of the AWS SDKs and of gRPC.
///
/// A ``RetryPolicy`` has one budget for all its requests. Pass a budget to change the numbers, or to share it among
/// policies and a ``Hedging``. Servers that fail independently need a policy each.
public final class RetryBudget: Sendable {
    private let rule: Locked<RetryBudgetRule>
    private let now: @Sendable () -> Duration

    /// Creates a budget.
    ///
    /// - Parameters:
    ///   - share: The number of retries that each request earns, such as 0.2 for one retry per five requests.
    ///   - reservePerSecond: The number of retries per second that are always allowed.
    ///   - maximumBalance: The maximum number of earned retries to save.
    public convenience init(share: Double = 0.2, reservePerSecond: Double = 10, maximumBalance: Double = 100) {
        self.init(
            share: share,
            reservePerSecond: reservePerSecond,
            maximumBalance: maximumBalance,
            clock: ContinuousClock()
        )
    }

    /// Creates a budget with a custom clock.
    ///
    /// - Parameters:
    ///   - share: The number of retries that each request earns, such as 0.2 for one retry per five requests.
    ///   - reservePerSecond: The number of retries per second that are always allowed.
    ///   - maximumBalance: The maximum number of earned retries to save.
    ///   - clock: The clock that measures the seconds.
    public convenience init<C: Clock>(
        share: Double = 0.2,
        reservePerSecond: Double = 10,
        maximumBalance: Double = 100,
        clock: C
    ) where C.Duration == Duration {
        let state = RetryBudgetState(share: share, reservePerSecond: reservePerSecond, maximumBalance: maximumBalance)
        let start = clock.now
        self.init(.share(state)) { start.duration(to: clock.now) }
    }

    private init(_ rule: RetryBudgetRule, now: @escaping @Sendable () -> Duration = { .zero }) {
        self.rule = Locked(rule)
        self.now = now
    }

    /// Creates a budget with the retry quota of the AWS SDKs in their mode `standard`.
    ///
    /// A retry takes units from the quota, and so does a hedge. A request that succeeds returns the units of its last retry, or one unit
    /// if it was not retried. The quota does not grow with time. Negative numbers count as 0.
    ///
    /// The default costs are those of botocore 1.44. Its versions up to 1.43 have the costs 5, 10 and 5.
    ///
    /// - Parameters:
    ///   - capacity: The units at the beginning, and the maximum.
    ///   - retryCost: The cost of a retry.
    ///   - timeoutCost: The cost of a retry after a timeout.
    ///   - throttlingCost: The cost of a retry after a response with the status 429.
    /// - Returns: The budget.
    public static func quota(
        capacity: Int = 500,
        retryCost: Int = 14,
        timeoutCost: Int = 14,
        throttlingCost: Int = 5
    ) -> RetryBudget {
        let costs = RetryQuota.Costs(retry: retryCost, timeout: timeoutCost, throttling: throttlingCost)
        return RetryBudget(.quota(RetryQuota(capacity: capacity, costs: costs)))
    }

    /// Creates a budget with the retry throttling of gRPC (proposal A6).
    ///
    /// Each attempt that fails with a retryable status or error takes a token, also if it is not retried, and each successful one adds
    /// `tokenRatio`. Requests are retried and hedged while there are more than half of the tokens. Only a ``RetryPolicy`` counts attempts.
    ///
    /// - Parameters:
    ///   - maximumTokens: The tokens at the beginning, and the maximum: from 1 to 1,000.
    ///   - tokenRatio: The tokens that a success adds; decimal places beyond 3 are ignored.
    /// - Returns: The budget.
    public static func throttling(maximumTokens: Int = 10, tokenRatio: Double = 0.1) -> RetryBudget {
        RetryBudget(.throttling(RetryThrottling(maximumTokens: maximumTokens, tokenRatio: tokenRatio)))
    }

    /// Counts a request of a custom retrier: its first attempt in a budget with a share, and its success in another one.
    public func deposit() {
        var account = RetryAccount()
        _ = decideRetry(after: AttemptEnd(outcome: .success, isFirst: true), &account)
    }

    /// Counts a request that may be hedged, unless a ``RetryPolicy`` counts the requests.
    func depositForHedging() { rule.withLock { $0.countHedgeableRequest() } }

    /// Withdraws the cost of a hedge; returns false if the hedge must not be sent.
    func withdrawForHedge() -> Bool {
        let now = now()
        return rule.withLock { $0.takeHedge(now: now) }
    }

    /// Withdraws the cost of a retry.
    ///
    /// Returns false if the balance is too low; the request must not be retried then.
    public func withdraw() -> Bool {
        var account = RetryAccount()
        return decideRetry(after: AttemptEnd(outcome: .failure(.other, wantsRetry: true), isFirst: false), &account)
    }

    /// Counts the end of an attempt, and decides whether the request may be retried.
    func decideRetry(after end: AttemptEnd, _ account: inout RetryAccount) -> Bool {
        let isRetryWanted = if case .failure(_, wantsRetry: true) = end.outcome { true } else { false }
        let now = isRetryWanted ? now() : .zero
        return rule.withLock { $0.decideRetry(after: end, &account, now: now) }
    }
}

/// A token bucket from which each retry and each hedge takes a token.
///
/// Each first attempt adds a share of a token. A reserve is refilled over time, so that clients with few requests
/// can retry, too. The unit is a millionth of a token, so that five fifths are exactly one.
struct RetryBudgetState: Equatable, Sendable {
    private let share: Int64
    private let reservePerSecond: Double
    private let maximumBalance: Int64
    private let maximumReserve: Int64
    private(set) var balance: Int64 = 0
    private(set) var reserve: Int64
    private var lastRefill: Duration = .zero
    /// Whether a ``RetryPolicy`` counts the first attempts of requests.
    private var isCountedByPolicy = false

    /// The cost of a retry or a hedge.
    static let token: Int64 = 1_000_000

    /// Creates a bucket.
    ///
    /// Negative values and NaN count as 0; values above a million count as a million.
    init(share: Double, reservePerSecond: Double, maximumBalance: Double) {
        func tokens(_ number: Double) -> Int64 {
            number > 0 ? Int64((min(number, 1_000_000) * Double(Self.token)).rounded()) : 0
        }
        self.share = tokens(share)
        self.maximumBalance = tokens(maximumBalance)
        self.reservePerSecond = Double(tokens(reservePerSecond))
        // A rate of less than one per second accumulates to one token.
        maximumReserve = reservePerSecond > 0 ? max(tokens(reservePerSecond), Self.token) : 0
        reserve = maximumReserve
    }

    /// Counts the first attempt of a request.
    mutating func countFirstAttempt() {
        isCountedByPolicy = true
        balance = min(maximumBalance, balance + share)
    }

    /// Counts a request that may be hedged.
    ///
    /// It counts nothing if a policy uses the budget, too, because each request would earn twice.
    mutating func countHedgeableRequest() {
        guard !isCountedByPolicy else { return }
        balance = min(maximumBalance, balance + share)
    }

    /// Takes a token for a retry or a hedge; returns false if there is none.
    ///
    /// `now` is the time since the bucket was created. A clock that goes backwards does not refill the bucket.
    mutating func takeToken(now: Duration) -> Bool {
        refill(now: now)
        if reserve >= Self.token {
            reserve -= Self.token
            return true
        }
        guard balance >= Self.token else { return false }
        balance -= Self.token
        return true
    }

    private mutating func refill(now: Duration) {
        guard now > lastRefill else { return }
        let earned = (now - lastRefill) / .seconds(1) * reservePerSecond
        // A fraction of a millionth is kept as time; otherwise frequent calls would never earn anything.
        guard earned >= 1 else { return }
        reserve = earned >= Double(maximumReserve) ? maximumReserve : min(maximumReserve, reserve + Int64(earned))
        lastRefill = now
    }
}
