/// A limit on the retries of all requests together, which keeps clients from overloading a failing server.
///
/// Without a limit, a policy with three retries quadruples the load of a failing server. The default budget adds a
/// fifth: five requests earn one retry. In addition it allows ten retries per second, for clients with few
/// requests.
///
/// A ``RetryPolicy`` has one budget for all its requests. Pass a budget to change the numbers, or to share it among
/// policies.
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
    public func deposit() { state.withLock { $0.firstAttempt() } }

    /// Withdraws the cost of a retry.
    ///
    /// Returns false if the balance is too low; the request must not be retried then.
    public func withdraw() -> Bool {
        let now = now()
        return state.withLock { $0.retryWanted(now: now) }
    }
}
