/// Bounds the retries of all requests together, so that clients do not keep a server down that is on its knees.
///
/// Without a bound a policy with three retries quadruples what a failing server has to bear. With the standard budget it is
/// a fifth more: five first tries earn one retry. Beside that there are ten a second, for clients with few requests.
///
/// A ``RetryPolicy`` has one for all its requests. Hand over one of your own to choose the numbers, or to have several
/// policies share it.
public final class RetryBudget: Sendable {
    private let state: Locked<RetryBudgetState>
    private let now: @Sendable () -> Duration

    /// Makes a budget.
    ///
    /// - Parameters:
    ///   - share: How many retries each first try earns, such as 0.2 for one in five.
    ///   - reservePerSecond: How many retries there are every second in any case.
    ///   - maximumBalance: How many earned retries are kept for later at most.
    public convenience init(share: Double = 0.2, reservePerSecond: Double = 10, maximumBalance: Double = 100) {
        self.init(
            share: share,
            reservePerSecond: reservePerSecond,
            maximumBalance: maximumBalance,
            clock: ContinuousClock()
        )
    }

    /// Makes a budget on a clock of your choice.
    ///
    /// - Parameters:
    ///   - share: How many retries each first try earns, such as 0.2 for one in five.
    ///   - reservePerSecond: How many retries there are every second in any case.
    ///   - maximumBalance: How many earned retries are kept for later at most.
    ///   - clock: What the seconds are counted by.
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

    /// Takes note of a request that was sent for the first time.
    public func deposit() { state.withLock { $0.firstTry() } }

    /// Takes what a retry costs. False if there is not enough: leave it at that then.
    public func withdraw() -> Bool {
        let now = now()
        return state.withLock { $0.retryWanted(now: now) }
    }
}
