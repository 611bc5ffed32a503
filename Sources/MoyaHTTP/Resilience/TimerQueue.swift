/// Calls functions after times.
///
/// All timers share one sleeping task, because most of them are stopped before their time. The task goes on sleeping after the last timer
/// is stopped, for the next ones.
final class TimerQueue: Sendable {
    /// A timer that can be stopped.
    typealias Timer = DeadlineQueue<@Sendable () -> Void>.Ticket

    private struct State: Sendable {
        var timers = DeadlineQueue<@Sendable () -> Void>()
        /// The earliest time at which a task wakes up for the timers.
        var nextWake: Duration?
        /// The task that sleeps until then.
        var sleeper: Task<Void, Never>?

        /// Returns the time of a task that must be started; `nil` if there is one in time.
        mutating func startWake() -> Duration? {
            guard let time = timers.earliest(), nextWake.map({ time < $0 }) ?? true else { return nil }
            nextWake = time
            return time
        }
    }

    private let clock: LimiterClock
    private let state = Locked(State())

    /// Creates a queue without timers.
    init(_ clock: LimiterClock) { self.clock = clock }

    // A timer may be far away, and nobody could be called by it.
    deinit { state.withLock { $0.sleeper }?.cancel() }

    /// The time of the queue's clock.
    var now: Duration { clock.now }

    /// The number of timers.
    var count: Int { state.withLock { $0.timers.count } }

    /// Calls a function after a time, in another task.
    func start(after time: Duration, _ body: @escaping @Sendable () -> Void) -> Timer {
        let deadline = clock.now + time
        let (timer, wake) = state.withLock { state in (state.timers.insert(body, at: deadline), state.startWake()) }
        if let wake { scheduleWake(at: wake) }
        return timer
    }

    /// Stops a timer, unless its function has been called.
    func stop(_ timer: Timer) {
        // The function is released outside of the lock.
        _ = state.withLock { $0.timers.remove(timer) }
    }

    private func scheduleWake(at time: Duration) {
        let sleeper = clock.schedule(at: time) { [weak self] in self?.wake(at: time) }
        let replaced = state.withLock { state -> Task<Void, Never>? in
            // Another thread may have started a task for an earlier time.
            guard state.nextWake == time else { return sleeper }
            defer { state.sleeper = sleeper }
            return state.sleeper
        }
        replaced?.cancel()
    }

    private func wake(at time: Duration) {
        let now = clock.now
        let (due, next) = state.withLock { state in
            if state.nextWake == time { state.nextWake = nil }
            return (state.timers.popDue(at: now), state.startWake())
        }
        for body in due { body() }
        if let next { scheduleWake(at: next) }
    }
}
