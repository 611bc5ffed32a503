import TestSupport
import Testing

@testable import MoyaHTTP

@Suite("A concurrency limiter gives its permits in order of priority and arrival")
struct ConcurrencyStateTests {
    /// The state of a limiter whose requests are numbers, with short forms of its functions.
    private struct Limiter {
        var state: ConcurrencyState<Int>
        var permits: [Int: ConcurrencyPermit] = [:]
        var tickets: [Int: ConcurrencyState<Int>.Ticket] = [:]

        init(_ limit: ConcurrencyLimit) { state = ConcurrencyState(limit) }

        /// Decides about a request, and returns its position; -1 if it has a permit, and `nil` if the queue is full.
        mutating func request(
            _ number: Int,
            _ priority: RequestPriority = .normal,
            at now: Int = 0,
            maximumWaiting: Int = 100
        ) -> Int? {
            let decision = state.request(
                at: .seconds(now),
                maximumWait: .seconds(10),
                maximumWaiting: maximumWaiting,
                priority: priority,
                waiter: number
            )
            switch decision {
            case .granted(let permit):
                permits[number] = permit
                return -1
            case .waits(let ticket, let position):
                tickets[number] = ticket
                return position
            case .queueFull: return nil
            }
        }

        /// Ends a request, and returns those that get permits.
        mutating func end(_ number: Int, _ outcome: AdaptiveLimit.Outcome = .success, at now: Int = 0) -> [Int] {
            guard let permit = permits.removeValue(forKey: number) else { return [] }
            state.release(permit, outcome)
            let step = state.advance(to: .seconds(now))
            for (number, permit) in step.granted { permits[number] = permit }
            return step.granted.map(\.waiter)
        }
    }

    @Test("requests wait behind those of a higher and of the same priority")
    func priorities() {
        var limiter = Limiter(.fixed(1))
        #expect(limiter.request(0) == -1)
        #expect(limiter.request(1, .low) == 0)
        #expect(limiter.request(2, .normal) == 0)
        #expect(limiter.request(3, .high) == 0)
        #expect(limiter.request(4, .low) == 3)
        #expect(limiter.request(5, .normal) == 2)
        #expect(limiter.request(6, .high) == 1)
        #expect(limiter.state.waiting == 6)
        for (ended, next) in [(0, 3), (3, 6), (6, 2), (2, 5), (5, 1), (1, 4)] {
            #expect(limiter.end(ended) == [next])
        }
        #expect(limiter.end(4) == [])
        #expect(limiter.state.isIdle)
    }

    @Test("a request fails at once if too many wait")
    func full() {
        var limiter = Limiter(.fixed(1))
        #expect(limiter.request(0, maximumWaiting: 0) == -1)
        #expect(limiter.request(1, maximumWaiting: 0) == nil)
        #expect(limiter.request(1, maximumWaiting: 1) == 0)
        #expect(limiter.request(2, .high, maximumWaiting: 1) == nil)
        #expect(limiter.end(0) == [1])
    }

    @Test("a wait ends at its maximum time, and by a cancellation")
    func ends() throws {
        var limiter = Limiter(.fixed(1))
        #expect(limiter.request(0) == -1)
        #expect(limiter.request(1, at: 0) == 0)
        #expect(limiter.state.startTimer() == .seconds(10))
        #expect(limiter.request(2, at: 3) == 1)
        #expect(limiter.state.startTimer() == nil)
        #expect(limiter.request(3, .high, at: 4) == 0)
        let ticket = try #require(limiter.tickets[3])
        #expect(limiter.state.cancel(ticket) == 3)
        #expect(limiter.state.cancel(ticket) == nil)
        limiter.state.timerFired(.seconds(10))
        let step = limiter.state.advance(to: .seconds(10))
        #expect(step.expired == [1])
        #expect(step.granted.isEmpty)
        #expect(step.timer == .seconds(13))
        #expect(limiter.end(0, at: 12) == [2])
        #expect(limiter.state.used == 1)
    }

    @Test("no permit is lost in 10^6 random steps, and requests of a priority keep their order")
    func random() {
        var generator = SeededGenerator(seed: 3)
        var limiter = Limiter(.adaptive(5, in: 2...9))
        var running: [Int] = []
        var waiting: [RequestPriority: [Int]] = [:]
        var mistakes = 0
        for number in 0..<1_000_000 {
            switch generator.next() % 4 {
            case 0, 1:
                let priority = RequestPriority.allCases[Int(generator.next() % 3)]
                switch limiter.request(number, priority, maximumWaiting: 20) {
                case -1: running.append(number)
                case nil: break
                default: waiting[priority, default: []].append(number)
                }
            case 2 where !running.isEmpty:
                let ended = running.remove(at: Int(generator.next() % UInt64(running.count)))
                let outcomes: [AdaptiveLimit.Outcome] = [.success, .success, .success, .overload, .ignored]
                for next in limiter.end(ended, outcomes[Int(generator.next() % 5)]) {
                    running.append(next)
                    let first = [RequestPriority.high, .normal, .low].first { waiting[$0]?.isEmpty == false }
                    if let first, waiting[first]?.first == next { waiting[first]?.removeFirst() } else { mistakes += 1 }
                }
            case 3:
                let priority = RequestPriority.allCases[Int(generator.next() % 3)]
                guard let count = waiting[priority]?.count, count > 0 else { continue }
                let number = waiting[priority]?.remove(at: Int(generator.next() % UInt64(count)))
                let ticket = number.flatMap { limiter.tickets.removeValue(forKey: $0) }
                if ticket.flatMap({ limiter.state.cancel($0) }) != number { mistakes += 1 }
            default: break
            }
            if limiter.state.used != running.count { mistakes += 1 }
            if limiter.state.waiting > 0, limiter.state.used < limiter.state.permits { mistakes += 1 }
        }
        #expect(mistakes == 0)
        while let next = running.popLast() { running += limiter.end(next) }
        #expect(limiter.state.isIdle)
        #expect((2...9).contains(limiter.state.permits))
    }

    @Test("an adaptive limit grows by one per limit of successes, if it is used")
    func growth() {
        var limit = AdaptiveLimit(.adaptive(10, in: 1...12))
        for _ in 0..<11 { limit.record(.success, generation: 0, used: 5) }
        #expect(limit.current == 11)
        for _ in 0..<100 { limit.record(.success, generation: 0, used: 5) }
        #expect(limit.current == 11, "less than half of the limit is used")
        for _ in 0..<100 { limit.record(.success, generation: 0, used: 11) }
        #expect(limit.current == 12)
    }

    @Test("an adaptive limit falls once for all requests that were running, and not below its minimum")
    func fall() {
        var limit = AdaptiveLimit(.adaptive(100, in: 10...200))
        for _ in 0..<100 { limit.record(.overload, generation: 0, used: 100) }
        #expect(limit.current == 70)
        #expect(limit.generation == 1)
        limit.record(.overload, generation: 1, used: 70)
        #expect(limit.current == 49)
        limit.record(.ignored, generation: 2, used: 49)
        #expect(limit.current == 49)
        for generation in 2..<20 { limit.record(.overload, generation: generation, used: 10) }
        #expect(limit.current == 10)
    }

    @Test("a fixed limit does not change, and invalid bounds are corrected")
    func fixed() {
        var limit = AdaptiveLimit(.fixed(7))
        limit.record(.overload, generation: 0, used: 7)
        limit.record(.success, generation: 0, used: 7)
        #expect(limit.current == 7)
        #expect(ConcurrencyLimit.fixed(-1).initial == 1)
        #expect(ConcurrencyLimit.adaptive(500, in: 0...50).initial == 50)
        #expect(ConcurrencyLimit.adaptive(500, in: 0...50).range == 1...50)
    }
}
