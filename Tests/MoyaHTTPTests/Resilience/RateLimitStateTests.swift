import Testing

@testable import MoyaHTTP

@Suite("A rate limiter decides in order of arrival, and learns from responses")
struct RateLimitStateTests {
    /// The state of a limiter whose requests are numbers, with short forms of its functions.
    private struct Limiter {
        var state: RateLimitState<Int>
        var tickets: [Int: Int] = [:]
        var timers: [Duration] = []

        init(_ limits: RateLimit...) { state = RateLimitState(limits) }

        /// Decides about a request, and returns `sent`, `waits until …`, `full` or `late until …`, in seconds.
        mutating func request(_ number: Int, at now: Double, deadline: Double = 1_000, maximumWaiting: Int = 100)
            -> String
        {
            let decision = state.request(
                at: .seconds(now),
                deadline: .seconds(deadline),
                maximumWaiting: maximumWaiting,
                waiter: number
            )
            switch decision {
            case .granted: return "sent"
            case .waits(let ticket, let position, let until):
                tickets[number] = ticket
                if position == 0, let timer = state.startTimer(at: until) { timers.append(timer) }
                return "waits behind \(position) until \(until / .seconds(1))"
            case .queueFull: return "full"
            case .tooLate(let until): return "late until \(until / .seconds(1))"
            }
        }

        mutating func cancel(_ number: Int) -> Int? { tickets[number].flatMap { state.cancel($0) } }

        /// Lets time pass, with all timers until then, and returns the requests that were sent at each time.
        mutating func advance(to end: Double) -> [String] {
            var log: [String] = []
            while let timer = timers.min(), timer <= .seconds(end) {
                timers.removeAll { $0 == timer }
                state.timerFired(timer)
                log += note(state.advance(to: timer), at: timer)
            }
            return log
        }

        /// Ends the waits that are over.
        mutating func advance(now: Double) -> [String] { note(state.advance(to: .seconds(now)), at: .seconds(now)) }

        private mutating func note(_ step: RateLimitState<Int>.Step, at time: Duration) -> [String] {
            if let timer = step.timer { timers.append(timer) }
            return step.granted.map { "\($0) at \(time / .seconds(1))" }
                + step.refused.map { "\($0.waiter) refused until \($0.until / .seconds(1))" }
        }

        /// Ends a request with a response, and returns the end of the pause that it begins.
        mutating func respond(
            at now: Double,
            sent: Double = 0,
            isThrottled: Bool = false,
            retryAfter: Double? = nil,
            remaining: Int? = nil,
            reset: Double? = nil,
            limit: Int? = nil,
            window: Double? = nil
        ) -> Double? {
            state.requestEnded(isThrottled: isThrottled, at: .seconds(now))
            var fields = RateLimitFields([.date: "x", .retryAfter: "0"], status: 429, now: .distantPast)
            fields?.retryAfter = retryAfter.map { .seconds($0) }
            fields?.quota = remaining.map {
                RateLimitFields.Quota(
                    limit: limit,
                    remaining: $0,
                    reset: reset.map { .seconds($0) },
                    window: window.map { .seconds($0) }
                )
            }
            return fields.flatMap { state.apply($0, sent: .seconds(sent), at: .seconds(now)) }.map { $0 / .seconds(1) }
        }
    }

    @Test("requests wait in order of arrival, and one timer is enough")
    func order() {
        var limiter = Limiter(.tokenBucket(1, per: .seconds(1)))
        #expect(limiter.request(0, at: 0) == "sent")
        #expect(limiter.request(1, at: 0) == "waits behind 0 until 1.0")
        #expect(limiter.request(2, at: 0.5) == "waits behind 1 until 2.0")
        #expect(limiter.request(3, at: 0.75) == "waits behind 2 until 3.0")
        #expect(limiter.timers == [.seconds(1)])
        #expect(limiter.advance(to: 1.5) == ["1 at 1.0"])
        #expect(limiter.request(4, at: 1.5) == "waits behind 2 until 4.0")
        #expect(limiter.advance(to: 10) == ["2 at 2.0", "3 at 3.0", "4 at 4.0"])
        #expect(limiter.timers.isEmpty)
        #expect(limiter.request(5, at: 10) == "sent")
    }

    @Test("a request does not overtake those that wait, even if a timer is late")
    func lateTimer() {
        var limiter = Limiter(.tokenBucket(1, per: .seconds(1), burst: 2))
        #expect(limiter.request(0, at: 0) == "sent")
        #expect(limiter.request(1, at: 0) == "sent")
        #expect(limiter.request(2, at: 0) == "waits behind 0 until 1.0")
        #expect(limiter.request(3, at: 5) == "waits behind 1 until 5.0")
        #expect(limiter.advance(now: 5) == ["2 at 5.0", "3 at 5.0"])
    }

    @Test("a request fails at once if it would be sent after its deadline, or if too many wait")
    func refusals() {
        var limiter = Limiter(.tokenBucket(1, per: .seconds(10)))
        #expect(limiter.request(0, at: 0) == "sent")
        #expect(limiter.request(1, at: 0, deadline: 9.9) == "late until 10.0")
        #expect(limiter.request(1, at: 0, deadline: 10) == "waits behind 0 until 10.0")
        #expect(limiter.request(2, at: 0, deadline: 19) == "late until 20.0")
        #expect(limiter.request(2, at: 0, deadline: 20, maximumWaiting: 1) == "full")
        #expect(limiter.request(2, at: 0, deadline: 20, maximumWaiting: 2) == "waits behind 1 until 20.0")
        #expect(limiter.cancel(1) == 1)
        #expect(limiter.cancel(1) == nil)
        #expect(limiter.advance(to: 30) == ["2 at 10.0"])
    }

    @Test("a permission that is given back is for the next request")
    func giveBack() {
        var limiter = Limiter(.slidingWindow(1, per: .seconds(10)))
        #expect(limiter.request(0, at: 0) == "sent")
        #expect(limiter.request(1, at: 1) == "waits behind 0 until 10.0")
        limiter.state.giveBack()
        #expect(limiter.advance(now: 2) == ["1 at 2.0"])
        #expect(limiter.state.running == 1)
    }

    @Test("Retry-After makes all requests wait, and those that cannot wait so long fail at once")
    func retryAfter() {
        var limiter = Limiter(.tokenBucket(1, per: .seconds(1)))
        #expect(limiter.request(0, at: 0) == "sent")
        #expect(limiter.request(1, at: 0, deadline: 20) == "waits behind 0 until 1.0")
        #expect(limiter.request(2, at: 0, deadline: 60) == "waits behind 1 until 2.0")
        #expect(limiter.respond(at: 0.5, retryAfter: 30) == 30.5)
        #expect(limiter.advance(now: 0.5) == ["1 refused until 30.5"])
        #expect(limiter.request(3, at: 1, deadline: 60) == "waits behind 1 until 31.5")
        #expect(limiter.request(4, at: 1, deadline: 31) == "late until 32.5")
        #expect(limiter.state.isPausedByServer(at: .seconds(30)))
        #expect(!limiter.state.isPausedByServer(at: .seconds(30.5)))
        #expect(limiter.advance(to: 100) == ["2 at 30.5", "3 at 31.5"])
    }

    @Test("an adaptive limit begins with the first throttling response, and a higher rate ends waits earlier")
    func adaptation() {
        var limiter = Limiter(.adaptive())
        for number in 0..<3 { #expect(limiter.request(number, at: 0) == "sent") }
        #expect(limiter.respond(at: 1, isThrottled: true) == nil)
        // The measured rate is 0.8, the limit 0.56, and there is one token.
        #expect(limiter.request(3, at: 1) == "sent")
        #expect(limiter.request(4, at: 1) == "waits behind 0 until 2.785714286")
        #expect(limiter.request(5, at: 1, deadline: 4) == "late until 4.571428572")
        #expect(limiter.respond(at: 2) == nil)
        #expect(limiter.advance(now: 2).isEmpty)
        #expect(limiter.timers == [.nanoseconds(2_785_714_286), .nanoseconds(2_548_946_576)])
        #expect(limiter.advance(to: 3) == ["4 at 2.548946576"])
    }

    @Test("a lower adaptive rate refuses requests that would wait for too long, and others wait for longer")
    func slowdown() {
        var limiter = Limiter(.adaptive())
        for number in 0..<20 { #expect(limiter.request(number, at: 0) == "sent") }
        for _ in 0..<9 { _ = limiter.respond(at: 1) }
        #expect(limiter.respond(at: 2, isThrottled: true) == nil)
        let burst = (20..<40).prefix { limiter.request($0, at: 2) == "sent" }.count
        #expect(burst >= 1)
        #expect(limiter.request(40, at: 2, deadline: 2.5).hasPrefix("waits behind 1 until 2."))
        #expect(limiter.respond(at: 2, isThrottled: true) == nil)
        for _ in 0..<3 { _ = limiter.respond(at: 2, isThrottled: true) }
        let refused = limiter.advance(now: 2)
        #expect(refused.count == 1)
        #expect(refused.first?.hasPrefix("40 refused until ") == true)
        #expect(limiter.state.waiting == 1)
    }

    @Test("the longest pause applies, and a shorter one does not begin a pause")
    func pauses() {
        var limiter = Limiter()
        for number in 0..<4 { #expect(limiter.request(number, at: 0) == "sent") }
        #expect(limiter.respond(at: 0, retryAfter: 10) == 10)
        #expect(limiter.respond(at: 1, retryAfter: 5) == nil)
        #expect(limiter.respond(at: 1, retryAfter: 20) == 21)
        #expect(limiter.respond(at: 2) == nil)
        #expect(limiter.request(9, at: 20) == "waits behind 0 until 21.0")
        #expect(limiter.advance(to: 21) == ["9 at 21.0"])
    }

    @Test("an exhausted quota makes requests wait for its reset, and a known limit is the quota of the next window")
    func quota() {
        var limiter = Limiter()
        #expect(limiter.request(0, at: 0) == "sent")
        #expect(limiter.respond(at: 0, remaining: 2, reset: 10, limit: 3) == nil)
        #expect(limiter.request(1, at: 1) == "sent")
        #expect(limiter.request(2, at: 1) == "sent")
        // Two requests are running, and the response does not know of them.
        #expect(limiter.request(3, at: 1) == "waits behind 0 until 10.0")
        #expect(limiter.respond(at: 2, remaining: 1, reset: 8, limit: 3) == nil)
        #expect(limiter.respond(at: 2, remaining: 0, reset: 8, limit: 3) == nil, "the quota was exhausted before")
        for number in 4...6 { _ = limiter.request(number, at: 3) }
        #expect(limiter.request(7, at: 3, deadline: 15) == "late until 20.0")
        #expect(limiter.advance(to: 19) == ["3 at 10.0", "4 at 10.0", "5 at 10.0"])
        #expect(limiter.advance(to: 30) == ["6 at 20.0"])
    }

    @Test("a late response does not enlarge the quota, and a response for another window replaces it")
    func windows() {
        var limiter = Limiter()
        for number in 0..<6 { #expect(limiter.request(number, at: 0) == "sent") }
        #expect(limiter.respond(at: 1, remaining: 10, reset: 60) == nil)
        // 10 - 5 running requests are left. The other responses arrive in any order.
        #expect(limiter.respond(at: 1, remaining: 4, reset: 60) == nil)
        #expect(limiter.respond(at: 2, remaining: 9, reset: 58.5) == nil)
        #expect(limiter.request(6, at: 2) == "sent")
        #expect(limiter.request(7, at: 2) == "waits behind 0 until 61.0")
        // Another window with three requests, of which the four that are running may be a part.
        #expect(limiter.respond(at: 3, remaining: 3, reset: 90) == nil)
        #expect(limiter.advance(now: 3) == ["7 at 3.0"])
        #expect(limiter.respond(at: 4, remaining: 50, reset: 10) == nil, "a response for an earlier window")
        #expect(limiter.request(8, at: 4) == "waits behind 0 until 93.0")
    }

    @Test("a response to a later request replaces an odd quota, with an earlier reset or more requests")
    func corrections() {
        for (remaining, reset) in [(2, 86_400.0), (1, 57.0)] {
            var limiter = Limiter()
            for number in 0..<2 { #expect(limiter.request(number, at: 0) == "sent") }
            _ = limiter.respond(at: 1, remaining: 900, reset: 59, limit: 1_000)
            #expect(limiter.request(2, at: 2) == "sent")
            #expect(limiter.request(3, at: 2) == "sent")
            _ = limiter.respond(at: 3, sent: 2, remaining: remaining, reset: reset, limit: 10)
            // This request was sent before the odd response arrived.
            _ = limiter.respond(at: 4, sent: 2, remaining: 900, reset: 56, limit: 1_000)
            #expect(limiter.request(4, at: 5) == "sent")
            #expect(limiter.request(5, at: 5, deadline: 5).hasPrefix("late"))
            // This one was sent after it.
            _ = limiter.respond(at: 6, sent: 5, remaining: 900, reset: 54, limit: 1_000)
            for number in 6..<16 { #expect(limiter.request(number, at: 7) == "sent") }
        }
    }

    @Test("a server cannot make requests wait for longer than a day", arguments: [86_400.0, 86_401, 1e9, 1e18])
    func longestPause(seconds: Double) {
        var (pause, quota) = (Limiter(), Limiter())
        #expect(pause.request(0, at: 0) == "sent")
        #expect(pause.respond(at: 1, retryAfter: seconds) == 86_401)
        #expect(quota.request(0, at: 0) == "sent")
        #expect(quota.respond(at: 1, remaining: 0, reset: seconds) == 86_401)
    }

    @Test("a quota without a reset is ignored, and without a limit it ends with its reset")
    func unknowns() {
        var limiter = Limiter()
        #expect(limiter.request(0, at: 0) == "sent")
        #expect(limiter.respond(at: 0, remaining: 0) == nil)
        #expect(limiter.request(1, at: 0) == "sent")
        #expect(limiter.respond(at: 0, remaining: 0, reset: 5) == 5)
        #expect(limiter.request(2, at: 0) == "waits behind 0 until 5.0")
        #expect(limiter.request(3, at: 0) == "waits behind 1 until 5.0")
        #expect(limiter.advance(to: 5) == ["2 at 5.0", "3 at 5.0"])
        #expect(limiter.state.isUnused(at: .seconds(6)) == false, "two requests are running")
    }

    @Test("a window that no response describes lasts for a minute at most")
    func assumption() {
        var limiter = Limiter()
        #expect(limiter.request(0, at: 0) == "sent")
        #expect(limiter.respond(at: 0, remaining: 0, reset: 1, limit: 1, window: 1e9) == 1)
        #expect(limiter.request(1, at: 0) == "waits behind 0 until 1.0")
        #expect(limiter.advance(to: 1) == ["1 at 1.0"])
        #expect(limiter.respond(at: 2) == nil)
        #expect(limiter.request(2, at: 2) == "waits behind 0 until 61.0")
        #expect(limiter.advance(to: 61) == ["2 at 61.0"])
    }

    @Test("with several limits, a request whose time was expected too early fails as soon as that is known")
    func severalLimits() {
        var limiter = Limiter(.tokenBucket(1, per: .seconds(1), burst: 1), .slidingWindow(2, per: .seconds(10)))
        #expect(limiter.request(0, at: 0) == "sent")
        #expect(limiter.request(1, at: 0) == "waits behind 0 until 1.0")
        #expect(limiter.request(2, at: 0, deadline: 10) == "waits behind 1 until 10.0")
        #expect(limiter.request(3, at: 0, deadline: 10) == "waits behind 2 until 10.0")
        #expect(limiter.advance(to: 9) == ["1 at 1.0", "3 refused until 11.0"])
        #expect(limiter.advance(to: 30) == ["2 at 10.0"])
    }
}
