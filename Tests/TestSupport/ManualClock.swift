import MoyaHTTP

/// A clock that a test advances by hand.
public final class ManualClock: Clock, Sendable {
    /// A time on the clock.
    public struct Instant: InstantProtocol {
        fileprivate var offset: Duration

        /// Returns a later time.
        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        /// Returns the duration from this time to another one.
        public func duration(to other: Instant) -> Duration { other.offset - offset }
        /// Compares two times.
        public static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.offset < rhs.offset }
    }

    private struct Sleeper: Sendable {
        let deadline: Instant
        let wake: Promise<Bool>
    }

    private struct State: Sendable {
        var now = Instant(offset: .zero)
        var sleepers: [Sleeper] = []
        var waiters: [Promise<Void>] = []
    }

    private let state = Locked(State())

    /// Creates a clock.
    public init() {}

    /// The current time.
    public var now: Instant { state.withLock { $0.now } }
    /// Zero.
    public var minimumResolution: Duration { .zero }

    /// Waits until the clock is advanced to a time.
    public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let wake = Promise<Bool>()
        let waiters: [Promise<Void>] = state.withLock { state in
            if deadline <= state.now {
                wake.fulfill(true)
            } else {
                state.sleepers.append(Sleeper(deadline: deadline, wake: wake))
            }
            defer { state.waiters = [] }
            return state.waiters
        }
        waiters.forEach { $0.fulfill(()) }
        let isAwake = await withTaskCancellationHandler {
            await wake.wait()
        } onCancel: {
            wake.fulfill(false)
        }
        if !isAwake { throw CancellationError() }
    }

    /// Waits until a task sleeps.
    public func someoneSleeps() async {
        let waiter = Promise<Void>()
        state.withLock { state in
            if state.sleepers.isEmpty { state.waiters.append(waiter) } else { waiter.fulfill(()) }
        }
        await waiter.wait()
    }

    /// The remaining time of the next sleeper to wake; `nil` if there is none.
    public var timeToNextWake: Duration? {
        state.withLock { state in state.sleepers.map { state.now.duration(to: $0.deadline) }.min() }
    }

    /// Advances the time and wakes the tasks that are due.
    public func advance(by duration: Duration) {
        let due: [Sleeper] = state.withLock { state in
            state.now = state.now.advanced(by: duration)
            defer { state.sleepers.removeAll { $0.deadline <= state.now } }
            return state.sleepers.filter { $0.deadline <= state.now }
        }
        due.forEach { $0.wake.fulfill(true) }
    }
}
