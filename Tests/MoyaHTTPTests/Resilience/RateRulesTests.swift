import Foundation
import TestSupport
import Testing

@testable import MoyaHTTP

@Suite("A rate limit allows its number of requests in its period")
struct RateRulesTests {
    /// Requests at a time in milliseconds, of which a number is allowed.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let limits: [RateLimit]
        let steps: [(time: Int, allowed: Int)]
    }

    static let rows = [
        Row(
            testDescription: "a bucket is full at the beginning, and is refilled one token after the other",
            limits: [.tokenBucket(10, per: .seconds(1))],
            steps: [(0, 10), (99, 0), (100, 1), (350, 2), (400, 1), (10_000, 10)]
        ),
        Row(
            testDescription: "the burst limits the tokens",
            limits: [.tokenBucket(10, per: .seconds(1), burst: 2)],
            steps: [(0, 2), (100, 1), (300, 2), (86_400_000, 2)]
        ),
        Row(
            testDescription: "a burst may be larger than the tokens of a period",
            limits: [.tokenBucket(1, per: .seconds(1), burst: 5)],
            steps: [(0, 5), (1_000, 1), (3_500, 2), (4_000, 1)]
        ),
        Row(
            testDescription: "three tokens per second are exact",
            limits: [.tokenBucket(3, per: .seconds(1), burst: 2)],
            steps: [(0, 2), (333, 0), (334, 1), (666, 0), (667, 1), (1_000, 1)]
        ),
        Row(
            testDescription: "a clock that goes back adds no tokens",
            limits: [.tokenBucket(1, per: .seconds(1))],
            steps: [(5_000, 1), (0, 0), (5_999, 0), (6_000, 1)]
        ),
        Row(
            testDescription: "a window counts each request for one period",
            limits: [.slidingWindow(3, per: .seconds(1))],
            steps: [(0, 3), (999, 0), (1_000, 3), (1_500, 0), (1_999, 0), (2_000, 3), (9_000, 3)]
        ),
        Row(
            testDescription: "several limits must all allow a request, and one that refuses costs the others nothing",
            limits: [.slidingWindow(2, per: .seconds(1)), .tokenBucket(3, per: .seconds(100))],
            steps: [(0, 2), (1, 0), (2, 0), (1_000, 1), (2_000, 0), (100_000, 2)]
        ),
        Row(
            testDescription: "invalid numbers count as the smallest valid ones",
            limits: [.tokenBucket(-1, per: .seconds(-1), burst: 0)],
            steps: [(0, 1), (1, 1), (2, 1)]
        ),
        Row(testDescription: "without limits, all requests are allowed", limits: [], steps: [(0, 50)]),
    ]

    @Test("a rate limit allows requests at a table's times", arguments: rows)
    func table(row: Row) {
        var rules = RateRules(row.limits)
        for (time, allowed) in row.steps {
            let taken = (0..<50).filter { _ in rules.take(at: .milliseconds(time)) }.count
            #expect(taken == allowed, "\(time) ms")
        }
    }

    /// The obvious rules: the generic cell rate algorithm with exact fractions, and a list of all times.
    private struct Model {
        let limit: RateLimit
        /// The time at which the bucket is full, in microseconds divided by the number of requests.
        var full: Int64 = 0
        var times: [Int64] = []

        mutating func take(at now: Int64) -> Bool {
            let period = limit.period.inMicroseconds
            switch limit.algorithm {
            case .slidingWindow:
                times.removeAll { $0 + period <= now }
                guard times.count < limit.requests else { return false }
                times.append(now)
            case .tokenBucket(let burst):
                let scaled = now * Int64(limit.requests)
                guard max(full, scaled) - scaled <= Int64(burst - 1) * period else { return false }
                full = max(full, scaled) + period
            case .adaptive: break
            }
            return true
        }

        mutating func giveBack() {
            full -= limit.period.inMicroseconds
            _ = times.popLast()
        }
    }

    @Test(
        "a rate limit makes the decisions of a naive model in 10^6 random steps",
        arguments: [
            RateLimit.tokenBucket(7, per: .milliseconds(13)), .tokenBucket(3, per: .seconds(1), burst: 20),
            .slidingWindow(7, per: .milliseconds(13)), .slidingWindow(20, per: .milliseconds(100)),
        ]
    )
    func model(limit: RateLimit) {
        var generator = SeededGenerator(seed: 35)
        var (rules, model) = (RateRules([limit]), Model(limit: limit))
        let step = UInt64(limit.period.inMicroseconds) / UInt64(limit.requests)
        var now: Int64 = 0
        var differences = 0
        var granted = 0
        for number in 0..<250_000 {
            now += Int64(generator.next() % (step + 1))
            let time = Duration.microseconds(now)
            let isGranted = rules.take(at: time)
            if isGranted != model.take(at: now) { differences += 1 }
            if isGranted { granted += 1 }
            if isGranted, generator.next() % 10 == 0 {
                rules.giveBack()
                model.giveBack()
            }
            // The expected time of a request is the first one at which the model allows it after the others.
            if number % 500 == 0 {
                let others = Int(generator.next() % 30)
                let expected = rules.time(after: others, from: time)
                var (later, moment) = (rules, time)
                for _ in 0..<others {
                    moment = later.time(after: 0, from: moment)
                    if !later.take(at: moment) { differences += 1 }
                }
                if later.time(after: 0, from: moment) != expected { differences += 1 }
                var early = later
                if expected > moment, early.take(at: expected - .microseconds(1)) { differences += 1 }
                if !later.take(at: expected) { differences += 1 }
            }
        }
        #expect(differences == 0)
        #expect(granted > 50_000 && granted < 250_000)
    }

    @Test("a limit that was not used for a time can be forgotten")
    func unused() {
        for limit in [RateLimit.tokenBucket(2, per: .seconds(1)), .slidingWindow(2, per: .seconds(1))] {
            var rules = RateRules([limit])
            #expect(rules.isUnused(at: .zero))
            #expect(rules.take(at: .zero) == true)
            #expect(!rules.isUnused(at: .milliseconds(499)))
            #expect(rules.isUnused(at: .seconds(1)))
        }
    }
}
