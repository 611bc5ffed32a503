import Foundation
import TestSupport
import Testing

@testable import MoyaHTTP

@Suite("Hedging shortens the slowest responses for a small additional load")
struct HedgingSimulationTests {
    /// Requests to a server on a virtual clock, one each millisecond, with the rules of a hedging.
    private struct Simulation {
        private enum Event: Sendable {
            case begin(Int)
            case delayEnded(Int)
            case ended(Int, exchange: Int)
        }

        private struct Request {
            let start: Duration
            var rule = HedgingRule(maximumHedges: 1)
        }

        let delay: HedgingDelay
        var budget: RetryBudgetState
        /// Returns the latency of an exchange.
        let latency: (inout SeededGenerator) -> Duration

        private var histogram = LatencyHistogram()
        private var running: [Int: Request] = [:]
        private var events = DeadlineQueue<Event>()
        private var generator = SeededGenerator(seed: 3)
        /// The latencies of the requests.
        private(set) var latencies: [Duration] = []
        private(set) var hedges = 0

        init(
            _ delay: HedgingDelay,
            share: Double = 0.1,
            latency: @escaping (inout SeededGenerator) -> Duration
        ) {
            self.delay = delay
            budget = RetryBudgetState(share: share, reservePerSecond: 1, maximumBalance: 100)
            self.latency = latency
        }

        /// Sends requests, and waits for the end of all of them.
        mutating func run(requests: Int) {
            for number in 0..<requests { _ = events.insert(.begin(number), at: .milliseconds(number)) }
            while let now = events.earliest() {
                for event in events.popDue(at: now) { handle(event, at: now) }
            }
        }

        private mutating func handle(_ event: Event, at now: Duration) {
            switch event {
            case .begin(let number):
                budget.countHedgeableRequest()
                running[number] = Request(start: now)
                send(number, exchange: 0, at: now)
                if let delay = delay.value(after: histogram) { _ = events.insert(.delayEnded(number), at: now + delay) }
            case .delayEnded(let number):
                guard var request = running[number] else { return }
                let hedge = request.rule.delayEnded(isAllowed: budget.takeToken(now: now))
                running[number] = request
                guard let hedge else { return }
                hedges += 1
                send(number, exchange: hedge, at: now)
            case .ended(let number, let exchange):
                guard var request = running[number], request.rule.exchangeEnded(exchange, isGood: true) != nil else {
                    return
                }
                running[number] = nil
                histogram.record(now - request.start)
                latencies.append(now - request.start)
            }
        }

        private mutating func send(_ number: Int, exchange: Int, at now: Duration) {
            _ = events.insert(.ended(number, exchange: exchange), at: now + latency(&generator))
        }

        /// Returns the latency that a share of the requests does not exceed.
        func percentile(_ share: Double) -> Duration {
            latencies.sorted()[Int((Double(latencies.count) * share).rounded(.up)) - 1]
        }
    }

    /// 10 ms ± 2 ms, and a second for a few more than one exchange in a hundred, so that it is the 99th percentile.
    private static func latency(_ generator: inout SeededGenerator) -> Duration {
        let usual = Duration.microseconds(Int.random(in: 8_000...12_000, using: &generator))
        return generator.next() % 1_000 < 11 ? .seconds(1) : usual
    }

    @Test("with 1 % slow responses, hedging cuts the 99th percentile by 80 % for less than 2 % additional load")
    func slowResponses() {
        let requests = 20_000
        var alone = Simulation(.fixed(.seconds(60)), latency: Self.latency)
        alone.run(requests: requests)
        #expect(alone.percentile(0.99) == .seconds(1))
        #expect(alone.hedges == 0)
        let delays: [HedgingDelay] = [
            .fixed(.milliseconds(50)), .percentile(0.98), .percentile(0.95, atLeast: .milliseconds(20)),
        ]
        for delay in delays {
            var hedged = Simulation(delay, latency: Self.latency)
            hedged.run(requests: requests)
            #expect(hedged.latencies.count == requests, "\(delay)")
            #expect(hedged.percentile(0.99) <= alone.percentile(0.99) * 0.2, "\(delay)")
            #expect(hedged.percentile(0.999) <= alone.percentile(0.999) * 0.2, "\(delay)")
            #expect(hedged.hedges > requests / 200, "\(delay)")
            #expect(Double(hedged.hedges) < Double(requests) * 0.02, "\(delay)")
        }
    }

    @Test("if all responses are slow, the budget bounds the additional load")
    func outage() {
        var slow = Simulation(.fixed(.milliseconds(50))) { _ in .seconds(1) }
        slow.run(requests: 20_000)
        // A tenth of the requests, and one hedge per second.
        #expect(slow.hedges <= 2_000 + 22)
        #expect(slow.hedges >= 1_900)
    }

    @Test("a percentile does not fall because of the hedges, and hedges the expected share of requests")
    func stability() {
        var simulation = Simulation(.percentile(0.95, atLeast: .zero), share: 1) { generator in
            // An exponential distribution, in which many latencies are just above the percentile.
            .milliseconds(-10 * log(Double.random(in: 0.000_001...1, using: &generator)))
        }
        simulation.run(requests: 20_000)
        #expect((0.035...0.055).contains(Double(simulation.hedges) / 20_000), "\(simulation.hedges)")
    }
}
