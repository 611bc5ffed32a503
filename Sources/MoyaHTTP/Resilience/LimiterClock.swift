/// The time since the creation of a limiter or a circuit breaker, on any clock.
struct LimiterClock: Sendable {
    private let time: @Sendable () -> Duration
    private let sleep: @Sendable (Duration) async throws -> Void

    /// Creates a clock that begins at zero.
    init(_ clock: any Clock<Duration>) { self = Self.make(clock) }

    private init(
        time: @escaping @Sendable () -> Duration,
        sleep: @escaping @Sendable (Duration) async throws -> Void
    ) {
        (self.time, self.sleep) = (time, sleep)
    }

    /// The current time.
    var now: Duration { time() }

    /// Waits until a time, or until the task is cancelled.
    func sleep(until time: Duration) async { try? await sleep(time) }

    /// Calls a function at a time.
    func schedule(at time: Duration, _ body: @escaping @Sendable () -> Void) {
        // The task is detached, because it must outlive the request that starts it, and must not keep the values of its task.
        Task.detached {
            await sleep(until: time)
            body()
        }
    }

    private static func make<C: Clock>(_ clock: C) -> LimiterClock where C.Duration == Duration {
        let start = clock.now
        return LimiterClock {
            start.duration(to: clock.now)
        } sleep: { time in
            try await clock.sleep(until: start.advanced(by: time), tolerance: nil)
        }
    }
}
