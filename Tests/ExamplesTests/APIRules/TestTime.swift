import Foundation
import Testing

@testable import MoyaHTTP

/// A time that passes only while all requests wait for it, so that an hour takes no time, and waits are exact.
///
/// `moya-cli simulate` has another one, which runs all tasks of its process. Tests share their process with other tests, so this time
/// looks at the requests and limiters of one session instead.
final class TestTime: Sendable {
    /// The part of the client, or the server, that waits.
    enum Role: Sendable {
        /// The timers of limiters.
        case limiters
        /// The delays before retries.
        case retries
        case server
    }

    /// The clock of one role.
    struct View: Clock {
        struct Instant: InstantProtocol {
            var offset: Duration
            func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
            func duration(to other: Instant) -> Duration { other.offset - offset }
            static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.offset < rhs.offset }
        }

        fileprivate let time: TestTime
        fileprivate let role: Role

        var now: Instant { Instant(offset: time.now) }
        var minimumResolution: Duration { .zero }
        func sleep(until deadline: Instant, tolerance: Duration?) async throws {
            await time.sleep(until: deadline.offset, role)
        }
    }

    private struct Sleeper: Sendable {
        let deadline: Duration
        let role: Role
        let wake: Promise<Void>
    }

    private struct State: Sendable {
        var now = Duration.zero
        var sleepers: [Sleeper] = []
    }

    private let state = Locked(State())

    /// The time since the beginning.
    var now: Duration { state.withLock { $0.now } }

    func clock(_ role: Role) -> View { View(time: self, role: role) }

    private func sleep(until deadline: Duration, _ role: Role) async {
        let wake = Promise<Void>()
        state.withLock { state in
            if deadline <= state.now {
                wake.fulfill(())
            } else {
                state.sleepers.append(Sleeper(deadline: deadline, role: role, wake: wake))
            }
        }
        await wake.wait()
    }

    private func advance(to time: Duration) {
        let due: [Sleeper] = state.withLock { state in
            state.now = max(state.now, time)
            defer { state.sleepers.removeAll { $0.deadline <= state.now } }
            return state.sleepers.filter { $0.deadline <= state.now }
        }
        for sleeper in due { sleeper.wake.fulfill(()) }
    }

    /// Sends requests together, and returns when all of them have ended.
    ///
    /// - Parameters:
    ///   - count: The number of requests.
    ///   - resilience: The limiters of the session, which must be new, and which must have the clock of their role.
    ///   - send: Sends a request over a session whose clocks are those of this time.
    func run(_ count: Int, _ resilience: Resilience, _ send: @escaping @Sendable (_ number: Int) async -> Void) async {
        let open = Locked(count)
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<count {
                group.addTask {
                    await send(number)
                    open.withLock { $0 -= 1 }
                }
            }
            while open.withLock({ $0 }) > 0 {
                guard areBlocked(open.withLock { $0 }, resilience) else {
                    await Task.yield()
                    continue
                }
                guard let next = state.withLock({ $0.sleepers.map(\.deadline).min() }) else {
                    Issue.record("All requests wait, and no timer runs.")
                    return group.cancelAll()
                }
                advance(to: next)
            }
        }
        // The limiters' timers end.
        advance(to: now + .seconds(7 * 24 * 3_600))
    }

    /// Returns whether all requests that have not ended wait for the time.
    ///
    /// A request moves from the first limiter to the last one and to the server, and only the time wakes sleepers. So the numbers are
    /// read against that order: a request that moves meanwhile is missing in them, and is never counted twice. All timers sleep before
    /// the numbers are read, so that none of them moves a request meanwhile, and after it, because a request that moves can begin one.
    private func areBlocked(_ open: Int, _ resilience: Resilience) -> Bool {
        let rates = (resilience.rateLimit.map { [$0] } ?? []) + resilience.furtherRateLimits
        /// The task of a timer has not begun to sleep, or has been woken and has not changed its limiter, if nothing sleeps until its time.
        func areTimersAsleep() -> Bool {
            let timers = rates.flatMap(\.timers) + (resilience.concurrencyLimit?.timers ?? [])
            let deadlines = state.withLock { Set($0.sleepers.filter { $0.role == .limiters }.map(\.deadline)) }
            return deadlines.isSuperset(of: timers)
        }
        guard areTimersAsleep() else { return false }
        let sleeping = state.withLock { $0.sleepers.count { $0.role != .limiters } }
        let waiting = rates.reversed().map(\.counts.waiting).reduce(0, +)
        return sleeping + waiting + (resilience.concurrencyLimit?.counts.waiting ?? 0) == open && areTimersAsleep()
    }
}
