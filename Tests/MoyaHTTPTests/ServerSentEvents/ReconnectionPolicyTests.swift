import Foundation
import Testing

@testable import MoyaHTTP

@Suite("An event stream reconnects after a delay")
struct ReconnectionPolicyTests {
    /// A policy and its delays, in milliseconds.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let policy: ReconnectionPolicy
        let retry: Int?
        /// The delays by the number of failures in a row.
        let delays: [Int: Int]

        init(_ rule: String, _ policy: ReconnectionPolicy, retry: Int? = nil, _ delays: [Int: Int]) {
            testDescription = rule
            self.policy = policy
            self.retry = retry
            self.delays = delays
        }
    }

    private static func policy(_ initial: Int, factor: Double = 1, maximum: Int = 60_000) -> ReconnectionPolicy {
        ReconnectionPolicy(
            initialDelay: .milliseconds(initial),
            maximumDelay: .milliseconds(maximum),
            backoffFactor: factor
        )
    }

    private static let year = 365 * 24 * 3_600 * 1_000

    static let table: [Row] = [
        Row(
            "the default delay is that of browsers",
            ReconnectionPolicy(),
            [0: 3_000, 1: 3_000, 2: 3_000, 1_000: 3_000]
        ),
        Row(
            "the server's time replaces the initial delay",
            ReconnectionPolicy(),
            retry: 10_000,
            [0: 10_000, 1: 10_000, 1_000: 10_000]
        ),
        Row("a delay without back-off is exact", policy(333), [0: 333, 5: 333]),
        Row(
            "the back-off begins with the second failure",
            policy(1_000, factor: 2),
            [0: 1_000, 1: 1_000, 2: 2_000, 5: 16_000]
        ),
        Row(
            "the back-off multiplies the server's time",
            policy(1_000, factor: 2),
            retry: 3_000,
            [0: 3_000, 1: 3_000, 3: 12_000]
        ),
        Row("the factor may be a fraction", policy(1_000, factor: 1.5), [1: 1_000, 2: 1_500, 3: 2_250]),
        Row(
            "the maximum limits the back-off",
            policy(1_000, factor: 2),
            [6: 32_000, 7: 60_000, 8: 60_000, .max: 60_000]
        ),
        Row("an infinite factor gives the maximum", policy(1_000, factor: .infinity), [0: 1_000, 1: 1_000, 2: 60_000]),
        Row(
            "a factor below one counts as one",
            policy(1_000, factor: 0.5),
            [0: 1_000, 1: 1_000, 2: 1_000, 9: 1_000]
        ),
        Row("a negative factor counts as one", policy(1_000, factor: -2), [0: 1_000, 2: 1_000, 3: 1_000]),
        Row("a factor of NaN counts as one", policy(1_000, factor: .nan), [0: 1_000, 2: 1_000]),
        Row("the maximum limits the initial delay", policy(1_000, maximum: 10), [0: 10, 1: 10, 5: 10]),
        Row("the maximum limits the server's time", policy(1_000), retry: 60_001, [0: 60_000, 1: 60_000]),
        Row("a maximum of zero gives no delay", policy(1_000, factor: 2, maximum: 0), retry: 5_000, [0: 0, 5: 0]),
        Row("a negative maximum gives no delay", policy(1_000, maximum: -1), [0: 0]),
        Row("the largest maximum counts as a year", policy(.max, maximum: .max), [0: year, 1: year]),
        Row("the server can set a year", policy(1, maximum: .max), retry: year, [0: year, 9: year]),
        Row("an initial delay of zero stays zero", policy(0, factor: 2), [0: 0, 1: 0, 2: 0, 9: 0]),
        Row("an initial delay of zero stays zero with an infinite factor", policy(0, factor: .infinity), [2: 0]),
        Row("a negative initial delay counts as zero", policy(-5, factor: 2), [0: 0, 1: 0, 3: 0]),
        Row("a server's time of zero counts as the minimum", policy(1_000), retry: 0, [0: 100, 1: 100, 9: 100]),
        Row("a server's time below the minimum counts as the minimum", policy(1_000), retry: 99, [0: 100]),
        Row("the back-off multiplies the minimum", policy(1_000, factor: 2), retry: 0, [1: 100, 5: 1_600]),
        Row("a smaller maximum of the policy replaces the minimum", policy(0, maximum: 5), retry: 0, [0: 5]),
    ]

    @Test(
        "the reconnection delay depends on the policy, the server's reconnection time and the failures",
        arguments: table
    )
    func delay(_ row: Row) {
        for (failures, milliseconds) in row.delays {
            let delay = row.policy.delay(retry: row.retry.map { .milliseconds($0) }, failures: failures) {
                Issue.record("no jitter, and yet a random number is asked for")
                return 1
            }
            // A Double does not represent fractions of a second exactly.
            #expect(
                abs(delay / .milliseconds(1) - Double(milliseconds)) < 0.001,
                "after \(failures) failures: \(delay)"
            )
        }
    }

    @Test(
        "the reconnection delay has jitter added to it, up to the configured share",
        arguments: [
            (1, 0, 4_000), (1, 0.5, 6_000), (1, 1, 8_000), (0.5, 0, 4_000), (0.5, 0.5, 5_000), (0.5, 1, 6_000),
            // Invalid values.
            (7, 1, 8_000), (-1, 1, 4_000), (.nan, 1, 4_000), (.infinity, 1, 8_000),
            (1, -1, 4_000), (1, 7, 8_000), (1, .infinity, 8_000), (1, -.infinity, 4_000),
        ] as [(Double, Double, Int)]
    )
    func jitter(_ jitter: Double, random: Double, milliseconds: Int) {
        var policy = ReconnectionPolicy(initialDelay: .seconds(4), jitter: jitter)
        #expect(policy.delay(retry: nil, failures: 0) { random } == .milliseconds(milliseconds))
        policy.initialDelay = .zero
        #expect(policy.delay(retry: .seconds(4), failures: 3) { random } == .milliseconds(milliseconds))
        #expect(policy.delay(retry: nil, failures: 3) { random } == .zero)
    }

    @Test("the reconnection delay has jitter beyond the maximum, and an invalid random number is harmless")
    func jitterOnTop() {
        let policy = ReconnectionPolicy(initialDelay: .seconds(9), maximumDelay: .seconds(4), jitter: 1)
        #expect(policy.delay(retry: nil, failures: 0) { 0.5 } == .seconds(6))
        #expect((.seconds(4) ... .seconds(8)).contains(policy.delay(retry: nil, failures: 0) { .nan }))
    }

    @Test("reconnection policies differ if any of their values differs")
    func equality() {
        let standard = ReconnectionPolicy()
        let others = [
            ReconnectionPolicy(initialDelay: .seconds(1)), ReconnectionPolicy(maximumDelay: .seconds(1)),
            ReconnectionPolicy(maximumFailures: 1), ReconnectionPolicy(backoffFactor: 2), ReconnectionPolicy(jitter: 1),
        ]
        #expect(standard == ReconnectionPolicy(initialDelay: .seconds(3)))
        for other in others { #expect(other != standard) }
    }
}
