import TestSupport
import Testing

@testable import MoyaHTTP

@Suite("Timers share one sleeping task", .timeLimit(.minutes(5)))
struct TimerQueueTests {
    private let clock = ManualClock()
    private let calls = Recorder<String>()

    private func makeQueue() -> TimerQueue { TimerQueue(LimiterClock(clock)) }

    @Test("timers are called at their times, in their order, whatever the order of their start")
    func order() async {
        let queue = makeQueue()
        for seconds in [30, 10, 20, 10] { _ = queue.start(after: .seconds(seconds)) { calls.add("\(seconds)") } }
        #expect(queue.count == 4)
        await waitUntil { clock.timeToNextWake == .seconds(10) }
        clock.advance(by: .seconds(10))
        await waitUntil { calls.values == ["10", "10"] }
        await waitUntil { clock.timeToNextWake == .seconds(10) }
        clock.advance(by: .seconds(20))
        await waitUntil { calls.values == ["10", "10", "20", "30"] }
        #expect(queue.count == 0)
    }

    @Test("a stopped timer is not called, and its function is released at once")
    func stopped() async {
        final class Released: Sendable {
            let isReleased: Promise<Void>
            init(_ isReleased: Promise<Void>) { self.isReleased = isReleased }
            deinit { isReleased.fulfill(()) }
        }
        let (queue, isReleased) = (makeQueue(), Promise<Void>())
        let timer: TimerQueue.Timer = {
            let object = Released(isReleased)
            return queue.start(after: .seconds(10)) { withExtendedLifetime(object) { calls.add("stopped") } }
        }()
        _ = queue.start(after: .seconds(10)) { calls.add("other") }
        queue.stop(timer)
        await isReleased.wait()
        await waitUntil { clock.timeToNextWake == .seconds(10) }
        clock.advance(by: .seconds(10))
        await waitUntil { !calls.values.isEmpty }
        #expect(calls.values == ["other"])
        // The timer is over.
        queue.stop(timer)
    }

    @Test("a timer may start and stop others while it is called")
    func nested() async {
        let queue = makeQueue()
        let last = queue.start(after: .seconds(30)) { calls.add("last") }
        _ = queue.start(after: .seconds(10)) {
            calls.add("first")
            queue.stop(last)
            _ = queue.start(after: .seconds(5)) { calls.add("second") }
        }
        await waitUntil { clock.timeToNextWake == .seconds(10) }
        clock.advance(by: .seconds(10))
        await waitUntil { clock.timeToNextWake == .seconds(5) }
        clock.advance(by: .seconds(5))
        await waitUntil { calls.values.count == 2 }
        #expect(calls.values == ["first", "second"] && queue.count == 0)
    }

    @Test("thousands of timers that are stopped leave nothing behind")
    func many() {
        let queue = makeQueue()
        for _ in 0..<10_000 { queue.stop(queue.start(after: .seconds(10)) {}) }
        #expect(queue.count == 0)
    }

    @Test("a queue that is released ends its sleeping task")
    func released() async {
        let clock = SleepCounter()
        var queue: TimerQueue? = TimerQueue(LimiterClock(clock))
        _ = queue?.start(after: .seconds(86_400)) { calls.add("late") }
        _ = queue?.start(after: .seconds(3_600)) { calls.add("early") }
        await waitUntil { clock.sleeping.withLock { $0 } == 1 }
        queue = nil
        await waitUntil { clock.sleeping.withLock { $0 } == 0 }
        #expect(calls.values.isEmpty)
    }
}

/// A clock that counts its sleepers.
private struct SleepCounter: Clock {
    let sleeping = Locked(0)

    var now: ContinuousClock.Instant { .now }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        sleeping.withLock { $0 += 1 }
        defer { sleeping.withLock { $0 -= 1 } }
        try await ContinuousClock().sleep(until: deadline, tolerance: tolerance)
    }
}
