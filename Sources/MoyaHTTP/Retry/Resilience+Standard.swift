extension Resilience {
    /// The parts that suit most clients of an API, with new limiters and budgets for each use of this property.
    ///
    ///     let session = Session(resilience: .standard)
    ///
    /// | part | setting |
    /// |---|---|
    /// | ``concurrencyLimit`` | adaptive, from 5 to 1,000 requests of an origin, 100 at first; a wait of at most 10 s |
    /// | ``timeouts`` | 30 s for a request, 10 s for an attempt |
    /// | ``retrier`` | a ``RetryPolicy`` with 2 retries, whose budget allows one retry for ten requests, and one in a second |
    /// | ``circuitBreaker`` | opens for 4 s if a tenth of at least 20 exchanges with an origin in 30 s have failed |
    /// | ``rateLimit`` | obeys the limits of servers |
    ///
    /// The parts apply from the outside to the inside: the limit of concurrent requests, the total time, the retries, the circuit
    /// breaker, the rate, and the time of an attempt. Change a copy to use other settings.
    ///
    /// A request whose response is read as a stream keeps its permit until the end of its body, so an application with many streams
    /// needs a higher limit, or a ``LimitKey`` that leaves them out.
    public static var standard: Resilience { standard(clock: ContinuousClock()) }

    /// The ``standard`` parts, on a clock.
    ///
    /// The clock measures everything but the total time, which belongs to the session: ``SessionOptions/clock``.
    ///
    /// - Parameter clock: The clock, such as one of a test.
    /// - Returns: The parts.
    public static func standard<C: Clock>(clock: C) -> Resilience where C.Duration == Duration {
        standard(clock: clock, random: { .random(in: 0...1) })
    }

    /// The ``standard`` parts, on a clock, and with the random numbers from 0 to 1 of the delays.
    package static func standard<C: Clock>(
        clock: C,
        random: @escaping @Sendable () -> Double
    ) -> Resilience where C.Duration == Duration {
        var standard = Resilience()
        standard.concurrencyLimit = ConcurrencyLimiter(
            .adaptive(100, in: 5...1_000),
            maximumWait: .seconds(10),
            clock: clock
        )
        standard.timeouts = RequestTimeouts(total: .seconds(30), attempt: .seconds(10))
        standard.retrier = RetryPolicy(
            budget: RetryBudget(share: 0.1, reservePerSecond: 1, clock: clock),
            random: random
        )
        standard.circuitBreaker = CircuitBreaker(failureRate: 0.1, openPeriod: .seconds(4), clock: clock)
        standard.rateLimit = RateLimiter(clock: clock)
        return standard
    }
}
