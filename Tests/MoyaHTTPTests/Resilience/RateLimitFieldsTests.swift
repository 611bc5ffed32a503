import Foundation
import HTTPTypes
import Testing

@testable import MoyaHTTP

@Suite("The rate limits of servers are parsed from the fields of responses")
struct RateLimitFieldsTests {
    /// 6 November 1994, 08:49:37.
    private static let now = Date(timeIntervalSince1970: 784_111_777)
    /// A time in 2026, because resets since 1970 are recognized by their size.
    private static let late = Date(timeIntervalSince1970: 1_800_000_000)

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let fields: [(String, String)]
        let expected: RateLimitFields.Quota?

        init(
            _ rule: String,
            _ fields: [(String, String)],
            _ remaining: Int?,
            reset: Double? = nil,
            limit: Int? = nil,
            window: Double? = nil
        ) {
            testDescription = rule
            self.fields = fields
            expected = remaining.map {
                RateLimitFields.Quota(
                    limit: limit,
                    remaining: $0,
                    reset: reset.map { .seconds($0) },
                    window: window.map { .seconds($0) }
                )
            }
        }
    }

    static let rows = [
        // draft-ietf-httpapi-ratelimit-headers-08 and later
        Row("a quota of the draft", [("RateLimit", "\"default\";r=50;t=30")], 50, reset: 30),
        Row("a token as the name", [("RateLimit", "default;r=50;t=30")], 50, reset: 30),
        Row("spaces", [("RateLimit", " \"default\" ; r=50 ; t=30 ")], 50, reset: 30),
        Row(
            "the policy of the same name",
            [
                ("RateLimit", "\"b\";r=5;t=3"), ("RateLimit-Policy", "\"a\";q=9;w=9, \"b\";q=100;w=60;qu=\"requests\""),
            ],
            5,
            reset: 3,
            limit: 100,
            window: 60
        ),
        Row("the smallest of several quotas", [("RateLimit", "\"a\";r=50;t=30, \"b\";r=2;t=1")], 2, reset: 1),
        Row("the latest of equal quotas", [("RateLimit", "\"a\";r=0;t=1, \"b\";r=0;t=60")], 0, reset: 60),
        Row("two lines", [("RateLimit", "\"a\";r=50;t=30"), ("RateLimit", "\"b\";r=2;t=1")], 2, reset: 1),
        Row("a name with delimiters", [("RateLimit", "\"a;r=1,\\\"b\";r=7;t=1")], 7, reset: 1),
        Row("no reset", [("RateLimit", "\"a\";r=7")], 7),
        Row("a policy alone says nothing about requests", [("RateLimit-Policy", "\"a\";q=9;w=9")], nil),
        Row("an open quote", [("RateLimit", "\"a;r=7;t=1")], nil),
        Row("a negative number", [("RateLimit", "\"a\";r=-7;t=1")], nil),
        Row("no number", [("RateLimit", "\"a\";r=many;t=1")], nil),
        Row("an invalid reset", [("RateLimit", "\"a\";r=0;t=soon")], 0),
        Row("an empty value", [("RateLimit", "")], nil),
        // -07 and earlier
        Row("a dictionary", [("RateLimit", "limit=100, remaining=50, reset=5")], 50, reset: 5, limit: 100),
        Row(
            "three fields",
            [("RateLimit-Limit", "100"), ("RateLimit-Remaining", "0"), ("RateLimit-Reset", "50")],
            0,
            reset: 50,
            limit: 100
        ),
        Row(
            "a limit with a policy",
            [
                ("RateLimit-Limit", "10, 10;w=1;burst=1000, 1000;w=3600"), ("RateLimit-Remaining", "9"),
                ("RateLimit-Reset", "1"), ("RateLimit-Policy", "10;w=1"),
            ],
            9,
            reset: 1,
            limit: 10,
            window: 1
        ),
        // X-RateLimit
        Row(
            "GitHub: seconds since 1970",
            [
                ("X-RateLimit-Limit", "60"), ("X-RateLimit-Remaining", "56"), ("X-RateLimit-Reset", "1800000100"),
                ("X-RateLimit-Used", "4"), ("X-RateLimit-Resource", "core"),
            ],
            56,
            reset: 100,
            limit: 60
        ),
        Row(
            "seconds since 1970 are relative to the server's date, whose clock may be wrong",
            [
                ("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "1700000000"),
                ("Date", "Tue, 14 Nov 2023 22:13:10 GMT"),
            ],
            0,
            reset: 10
        ),
        Row(
            "milliseconds since 1970",
            [("X-RateLimit-Remaining", "1"), ("X-RateLimit-Reset", "1800000002500")],
            1,
            reset: 2.5
        ),
        Row("a reset in the past", [("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "1700000000")], 0, reset: 0),
        Row(
            "X: hyphens",
            [("x-rate-limit-limit", "15"), ("x-rate-limit-remaining", "0"), ("x-rate-limit-reset", "1800000900")],
            0,
            reset: 900,
            limit: 15
        ),
        Row(
            "Reddit: seconds left and fractions",
            [("x-ratelimit-remaining", "594.5"), ("x-ratelimit-reset", "360"), ("x-ratelimit-used", "6")],
            594,
            reset: 360
        ),
        Row(
            "Discord: the time left has precedence",
            [
                ("X-RateLimit-Remaining", "1"), ("X-RateLimit-Reset", "1800000100.5"),
                ("X-RateLimit-Reset-After", "64.57"),
            ],
            1,
            reset: 64.57
        ),
        Row(
            "OpenAI: durations, and tokens that are no requests",
            [
                ("x-ratelimit-limit-requests", "60"), ("x-ratelimit-remaining-requests", "59"),
                ("x-ratelimit-reset-requests", "1m1.5s"), ("x-ratelimit-remaining-tokens", "0"),
                ("x-ratelimit-reset-tokens", "6m0s"),
            ],
            59,
            reset: 61.5,
            limit: 60
        ),
        Row("milliseconds", [("X-RateLimit-Remaining", "1"), ("X-RateLimit-Reset", "20ms")], 1, reset: 0.02),
        Row("a number without end", [("X-RateLimit-Remaining", "99999999999999999999")], 1_000_000_000),
        Row(
            "a year at most",
            [("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", String(repeating: "9", count: 300))],
            0,
            reset: 31_536_000
        ),
        Row("another date", [("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "2026-01-01T00:00:00Z")], 0),
        Row("no number of requests", [("X-RateLimit-Limit", "60"), ("X-RateLimit-Reset", "5")], nil),
        Row("signs and words", [("X-RateLimit-Remaining", "+5"), ("RateLimit-Remaining", "nan")], nil),
        Row("other fields", [("X-Rate", "5"), ("X-Limit-Remaining", "0")], nil),
    ]

    @Test("quotas are parsed leniently", arguments: rows)
    func quota(row: Row) throws {
        let fields = RateLimitFields(Self.headers(row.fields), status: 200, now: Self.late)
        guard let expected = row.expected else { return #expect(fields == nil) }
        let quota = try #require(fields?.quota)
        #expect(quota.limit == expected.limit)
        #expect(quota.remaining == expected.remaining)
        #expect(quota.window == expected.window)
        #expect((quota.reset == nil) == (expected.reset == nil))
        if let reset = quota.reset, let wanted = expected.reset {
            #expect(abs((reset - min(wanted, .longestTimeout)) / .seconds(1)) < 0.001, "\(reset)")
        }
    }

    @Test(
        "Retry-After is obeyed after the statuses 403, 429 and 503 only",
        arguments: [(403, 7), (429, 7), (503, 7), (200, nil), (301, nil), (404, nil), (500, nil)] as [(Int, Int?)]
    )
    func retryAfter(status: Int, seconds: Int?) {
        let fields = RateLimitFields([.retryAfter: "7"], status: status, now: Self.now)
        #expect(fields?.retryAfter == seconds.map { .seconds($0) })
        #expect(RateLimitFields([.retryAfter: "soon"], status: status, now: Self.now) == nil)
    }

    private static func headers(_ fields: [(String, String)]) -> HTTPFields {
        var headers = HTTPFields()
        for (name, value) in fields {
            if let name = HTTPField.Name(name) { headers.append(HTTPField(name: name, value: value)) }
        }
        return headers
    }
}
