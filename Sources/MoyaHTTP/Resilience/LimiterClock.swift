/// The time since the creation of a limiter or a circuit breaker, on any clock.
struct LimiterClock: Sendable {
    private enum Source: Sendable {
        // The usual clock has a case, because a call of a clock with an unknown type takes some hundred instructions.
        case continuous(start: ContinuousClock.Instant)
        case other(now: @Sendable () -> Duration, sleep: @Sendable (_ until: Duration) async throws -> Void)
    }

    private let source: Source

    /// Creates a clock that begins at zero.
    init(_ clock: any Clock<Duration>) {
        source = clock is ContinuousClock ? .continuous(start: .now) : Self.source(of: clock)
    }

    /// The current time.
    var now: Duration {
        switch source {
        case .continuous(let start): ContinuousClock.now - start
        case .other(let now, _): now()
        }
    }

    /// Waits until a time, or until the task is cancelled.
    func sleep(until time: Duration) async {
        switch source {
        case .continuous(let start): try? await Task.sleep(until: start + time, clock: .continuous)
        case .other(_, let sleep): try? await sleep(time)
        }
    }

    /// Calls a function at a time.
    func schedule(at time: Duration, _ body: @escaping @Sendable () -> Void) {
        // The task is detached, because it must outlive the request that starts it, and must not keep the values of its task.
        Task.detached {
            await sleep(until: time)
            body()
        }
    }

    private static func source<C: Clock>(of clock: C) -> Source where C.Duration == Duration {
        let start = clock.now
        return .other {
            start.duration(to: clock.now)
        } sleep: { time in
            try await clock.sleep(until: start.advanced(by: time), tolerance: nil)
        }
    }
}
