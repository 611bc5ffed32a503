import Foundation
import Testing

@testable import MoyaHTTP

@Suite("Retry-After delays a retry (RFC 9110, 10.2.3)")
struct RetryAfterTests {
    @Test(
        "Retry-After is parsed as a number of seconds or a date",
        arguments: [
            ("seconds", "120", 120), ("no seconds", "0", 0), ("leading zeros", "007", 7), ("space around", " \t5 ", 5),
            ("a date ahead", "Sun, 06 Nov 1994 08:50:37 GMT", 60), ("a date now", "Sun, 06 Nov 1994 08:49:37 GMT", 0),
            ("a date that has passed", "Sun, 06 Nov 1994 08:49:36 GMT", 0),
            ("a date long past", "Mon, 01 Jan 0001 00:00:00 GMT", 0),
            ("RFC 850", "Sunday, 06-Nov-94 08:50:37 GMT", 60), ("asctime", "Sun Nov  6 08:50:37 1994", 60),
            ("more than a year", "31536001", 31_536_000),
            ("more than an Int", "99999999999999999999999", 31_536_000),
            ("more than a Double", String(repeating: "9", count: 400), 31_536_000),
            ("a date without end", "Fri, 31 Dec 9999 23:59:59 GMT", 31_536_000),
            ("below zero", "-5", nil), ("a sign", "+5", nil), ("a fraction", "1.5", nil), ("an exponent", "1e3", nil),
            ("nothing", "", nil), ("space", " ", nil), ("words", "soon", nil), ("seconds and a unit", "5s", nil),
            ("two numbers", "5, 6", nil), ("other digits", "٥", nil), ("hexadecimal", "0x10", nil),
            ("no number", "nan", nil), ("no end", "inf", nil), ("another date", "1994-11-06T08:50:37Z", nil),
        ] as [(String, String, Double?)]
    )
    func value(rule: String, text: String, seconds: Double?) {
        #expect(RetryAfter(text, now: AttemptFixture.now)?.delay == seconds.map { .seconds($0) }, "\(rule)")
    }

    @Test(
        "Retry-After is parsed at any time of day",
        arguments: [Date.distantPast, .distantFuture, Date(timeIntervalSince1970: 1e300)]
    )
    func anyTime(_ now: Date) {
        #expect(RetryAfter("Sunday, 06-Nov-94 08:50:37 GMT", now: now) != nil)
        #expect(RetryAfter("5", now: now)?.delay == .seconds(5))
    }

    private static let standard = RetryPolicy()

    @Test(
        "Retry-After is combined with the back-off",
        arguments: [
            .init(
                "a delay that is longer than the back-off replaces it",
                standard,
                AttemptFixture.status(503, retryAfter: "7"),
                .after(7)
            ),
            .init(
                "a shorter delay does not replace the back-off",
                standard,
                AttemptFixture.status(503, retryAfter: "0"),
                .after(0.5)
            ),
            .init(
                "a date is the end of the delay",
                standard,
                AttemptFixture.status(429, retryAfter: "Sun, 06 Nov 1994 08:49:47 GMT"),
                .after(10)
            ),
            .init(
                "a date in the past is no delay",
                standard,
                AttemptFixture.status(429, retryAfter: "Sun, 06 Nov 1994 08:49:27 GMT"),
                .after(0.5)
            ),
            .init(
                "an invalid value is ignored",
                standard,
                AttemptFixture.status(503, retryAfter: "soon"),
                .after(0.5)
            ),
            .init(
                "the longest of several delays applies",
                standard,
                AttemptFixture.status(503, retryAfter: "3", "x", "9", "4"),
                .after(9)
            ),
            .init("the maximum delay is allowed", standard, AttemptFixture.status(503, retryAfter: "30"), .after(30)),
            .init(
                "a delay over the maximum prevents the retry",
                standard,
                AttemptFixture.status(503, retryAfter: "31"),
                .doNotRetry(.retryAfter)
            ),
            .init(
                "a number of any size is parsed",
                standard,
                AttemptFixture.status(503, retryAfter: "99999999999999999999"),
                .doNotRetry(.retryAfter)
            ),
            .init(
                "the policy can ignore the field",
                RetryPolicy(respectsRetryAfter: false),
                AttemptFixture.status(503, retryAfter: "31"),
                .after(0.5)
            ),
            .init(
                "the field does not make a status retryable",
                standard,
                AttemptFixture.status(404, retryAfter: "1"),
                .doNotRetry(.status(404))
            ),
            .init(
                "the field does not make a method retryable",
                standard,
                AttemptFixture.status(503, "POST", retryAfter: "1"),
                .doNotRetry(.method)
            ),
        ] as [RetryRow]
    )
    func decision(_ row: RetryRow) {
        #expect(row.policy.decision(for: row.attempt) == row.decision)
    }
}

extension RetryDecision {
    fileprivate static func after(_ seconds: Double) -> RetryDecision { .retry(after: .seconds(seconds)) }
}
