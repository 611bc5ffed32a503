/// A limit on the retries and hedges of all requests together, which keeps clients from overloading a failing server.
///
/// Without a limit, a policy with three retries quadruples the load of a failing server. The default budget adds a
/// fifth: five requests earn one retry. In addition it allows ten retries per second, for clients with few
/// requests.
///
/// A ``RetryPolicy`` has one budget for all its requests. Pass a budget to change the numbers, or to share it among
/// policies and a ``Hedging``.
public final class RetryBudget: Sendable {
    private let state: Locked<RetryBudgetState>
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
    public init<C: Clock>(
        share: Double = 0.2,
        reservePerSecond: Double = 10,
        maximumBalance: Double = 100,
        clock: C
    ) where C.Duration == Duration {
        state = Locked(
            RetryBudgetState(share: share, reservePerSecond: reservePerSecond, maximumBalance: maximumBalance)
        )
        let start = clock.now
        now = { start.duration(to: clock.now) }
    }

    /// Counts the first attempt of a request.
    public func deposit() { state.withLock { $0.countFirstAttempt() } }

    /// Counts a request that may be hedged, unless a ``RetryPolicy`` counts the requests.
    func depositForHedging() { state.withLock { $0.countHedgeableRequest() } }

    /// Withdraws the cost of a retry or a hedge.
    ///
    /// Returns false if the balance is too low; the request must not be sent again then.
    public func withdraw() -> Bool {
        let now = now()
        return state.withLock { $0.takeToken(now: now) }
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
