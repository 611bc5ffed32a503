import Foundation
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("A retry policy has limits")
struct RetryLimitTests {
    private static let standard = RetryPolicy()
    private static func again(_ seconds: Double) -> RetryDecision { .retry(after: .seconds(seconds)) }
    private static func no(_ reason: RetryDecision.Reason) -> RetryDecision { .doNotRetry(reason) }

    static let tries: [RetryRow] = [
        RetryRow("the first retry is allowed", standard, AttemptFixture.status(503), again(0.5)),
        RetryRow("the second retry is allowed", standard, AttemptFixture.status(503, retryCount: 1), again(1)),
        RetryRow(
            "the third retry is not allowed",
            standard,
            AttemptFixture.status(503, retryCount: 2),
            no(.retryLimit)
        ),
        RetryRow(
            "a later retry is not allowed",
            standard,
            AttemptFixture.status(503, retryCount: .max),
            no(.retryLimit)
        ),
        RetryRow(
            "a limit of zero allows no retry",
            RetryPolicy(retryLimit: 0),
            AttemptFixture.status(503),
            no(.retryLimit)
        ),
        RetryRow(
            "the largest limit allows any number of retries",
            RetryPolicy(retryLimit: .max),
            AttemptFixture.status(503, retryCount: .max),
            again(30)
        ),
        RetryRow(
            "the limit applies to errors, too",
            standard,
            AttemptFixture.error(URLError(.timedOut), retryCount: 2),
            no(.retryLimit)
        ),
        RetryRow(
            "the status is reported before the limit",
            standard,
            AttemptFixture.status(404, retryCount: 2),
            no(.status(404))
        ),
        RetryRow(
            "a body that is not repeatable prevents the retry",
            standard,
            AttemptFixture.status(503, isBodyRepeatable: false),
            no(.bodyNotRepeatable)
        ),
        RetryRow(
            "a body that is not repeatable prevents the retry of an unsent request",
            RetryPolicy(retriesUnsentRequests: true),
            AttemptFixture.error(URLError(.cannotFindHost), "POST", isBodyRepeatable: false),
            no(.bodyNotRepeatable)
        ),
    ]

    static let times: [RetryRow] = [
        RetryRow(
            "a retry in time is allowed",
            standard,
            AttemptFixture.status(503, elapsed: .seconds(179)),
            again(0.5)
        ),
        RetryRow(
            "a retry just before the end is allowed",
            standard,
            AttemptFixture.status(503, elapsed: .milliseconds(179_499)),
            again(0.5)
        ),
        RetryRow(
            "a retry at the end is not allowed",
            standard,
            AttemptFixture.status(503, elapsed: .milliseconds(179_500)),
            no(.noTimeLeft)
        ),
        RetryRow(
            "a retry after the end is not allowed",
            standard,
            AttemptFixture.status(503, elapsed: .seconds(180)),
            no(.noTimeLeft)
        ),
        RetryRow(
            "a retry long after the end is not allowed",
            standard,
            AttemptFixture.status(503, elapsed: .seconds(Int64.max)),
            no(.noTimeLeft)
        ),
        RetryRow(
            "a delay within the total time of the request is allowed",
            standard,
            AttemptFixture.status(503, timeLeft: .milliseconds(501)),
            again(0.5)
        ),
        RetryRow(
            "a delay up to the end of the total time of the request is not allowed",
            standard,
            AttemptFixture.status(503, timeLeft: .milliseconds(500)),
            no(.noTimeLeft)
        ),
        RetryRow(
            "a delay of the server that exceeds the total time of the request prevents the retry",
            standard,
            AttemptFixture.status(503, retryAfter: "2", timeLeft: .seconds(1)),
            no(.noTimeLeft)
        ),
        RetryRow(
            "a total time of zero allows no retry",
            RetryPolicy(retryPeriod: .zero),
            AttemptFixture.status(503),
            no(.noTimeLeft)
        ),
        RetryRow(
            "a negative total time allows no retry",
            RetryPolicy(retryPeriod: .seconds(-1)),
            AttemptFixture.status(503),
            no(.noTimeLeft)
        ),
        RetryRow(
            "the longest total time allows a retry at any time",
            RetryPolicy(retryPeriod: .seconds(Int64.max)),
            AttemptFixture.status(503, elapsed: .seconds(1 << 60)),
            again(0.5)
        ),
        RetryRow(
            "a delay of the server that exceeds the rest of the time prevents the retry",
            RetryPolicy(maximumDelay: .seconds(300)),
            AttemptFixture.status(503, retryAfter: "200"),
            no(.noTimeLeft)
        ),
    ]

    @Test("the number of retries is limited, and a body that can be read only once is not retried", arguments: tries)
    func limit(_ row: RetryRow) {
        #expect(row.policy.decision(for: row.attempt) == row.decision)
    }

    @Test("the total time of the retries is limited", arguments: times)
    func totalTime(_ row: RetryRow) {
        #expect(row.policy.decision(for: row.attempt) == row.decision)
    }

    struct Backoff: Sendable {
        let base: UInt
        let scale: Double
        let maximum: Duration
        /// The retries so far, and the bound in seconds.
        let bounds: [Int: Double]

        init(_ base: UInt, _ scale: Double, _ maximum: Duration, _ bounds: [Int: Double]) {
            (self.base, self.scale, self.maximum, self.bounds) = (base, scale, maximum, bounds)
        }
    }

    @Test(
        "the maximum delay of a retry is scale × baseⁿ and at most the limit, for any numbers",
        arguments: [
            Backoff(2, 0.5, .seconds(30), [0: 0.5, 1: 1, 2: 2, 5: 16, 6: 30, 1_024: 30, .max: 30, -1: 0.5, .min: 0.5]),
            Backoff(1, 3, .seconds(30), [0: 3, 1: 3, .max: 3]),
            Backoff(0, 3, .seconds(30), [0: 3, 1: 0, .max: 0]),
            Backoff(.max, 1, .seconds(30), [0: 1, 1: 30, .max: 30]),
            Backoff(2, 0, .seconds(30), [0: 0, 9: 0, .max: 0]),
            Backoff(2, -1, .seconds(30), [0: 0, 9: 0, .max: 0]),
            Backoff(2, .nan, .seconds(30), [0: 0, 9: 0]),
            Backoff(2, .infinity, .seconds(30), [0: 30, 9: 30]),
            Backoff(0, .infinity, .seconds(30), [1: 0]),
            Backoff(2, 1, .zero, [0: 0, 9: 0]),
            Backoff(2, 1, .seconds(-1), [0: 0, 9: 0]),
            Backoff(2, 1, .seconds(Int64.max), [0: 1, .max: 365 * 24 * 3_600]),
        ]
    )
    func backoff(_ row: Backoff) {
        let backoff = RetryBackoff(base: row.base, scale: row.scale, maximum: row.maximum)
        for (count, seconds) in row.bounds {
            #expect(backoff.bound(retryCount: count) == .seconds(seconds), "after \(count)")
        }
    }

    @Test(
        "full jitter takes a share of the maximum retry delay, and an invalid share counts as 1",
        arguments: [
            (0, 0), (0.25, 2), (0.5, 4), (1, 8), (-0.1, 8), (1.1, 8), (.nan, 8), (.infinity, 8), (-.infinity, 8),
        ] as [(Double, Double)]
    )
    func jitter(random: Double, seconds: Double) {
        let backoff = RetryBackoff(base: 2, scale: 1, maximum: .seconds(30))
        #expect(backoff.delay(retryCount: 3, random: random) == .seconds(seconds))
        let policy = RetryPolicy(retryLimit: 9, exponentialBackoffScale: 1)
        #expect(
            policy.decision(for: AttemptFixture.status(503, retryCount: 3), random: random)
                == .retry(after: .seconds(seconds))
        )
    }
}
