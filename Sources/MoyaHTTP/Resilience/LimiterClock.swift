/// The time since the creation of a limiter or a circuit breaker, on any clock.
struct LimiterClock: Sendable {
    /// Any other clock than `ContinuousClock`.
    private final class OtherClock: Sendable {
        let now: @Sendable () -> Duration
        let sleep: @Sendable (_ until: Duration) async throws -> Void

        init<C: Clock>(_ clock: C) where C.Duration == Duration {
            let start = clock.now
            now = { start.duration(to: clock.now) }
            sleep = { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
        }
    }

    private let start = MonotonicTime.now
    // The usual clock is called directly, because a call of a clock of any type takes some hundred instructions.
    private let other: OtherClock?

    /// Creates a clock that begins at zero.
    init(_ clock: any Clock<Duration>) { other = clock is ContinuousClock ? nil : OtherClock(clock) }

    /// The current time.
    var now: Duration { if let other { other.now() } else { .now - start } }

    /// Waits until a time, or until the task is cancelled.
    func sleep(until time: Duration) async {
        if let other {
            try? await other.sleep(time)
        } else {
            try? await Task.sleep(until: (start + time).instant, clock: .continuous)
        }
    }

    /// Calls a function at a time, unless the returned task is cancelled.
    @discardableResult
    func schedule(at time: Duration, _ body: @escaping @Sendable () -> Void) -> Task<Void, Never> {
        // The task is detached, because it must outlive the request that starts it, and must not keep the values of its task.
        Task.detached {
            await sleep(until: time)
            if !Task.isCancelled { body() }
        }
    }
}
