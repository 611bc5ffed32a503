import Testing

@testable import MoyaHTTP

@Suite("Content-Range is parsed strictly (RFC 9110, 14.4)")
struct ContentRangeTests {
    static let good: [(String, ClosedRange<Int64>?, Int64?)] = [
        ("bytes 42-1233/1234", 42...1233, 1234),
        ("bytes 42-1233/*", 42...1233, nil),
        ("bytes */1234", nil, 1234),
        ("bytes 0-0/1", 0...0, 1),
        ("bytes */0", nil, 0),
        // Range units are case-insensitive (14.1).
        ("Bytes 0-4/5", 0...4, 5),
        ("bytes 000-004/0005", 0...4, 5),
        ("bytes 0-9223372036854775806/9223372036854775807", 0...9_223_372_036_854_775_806, 9_223_372_036_854_775_807),
        ("bytes 0-9223372036854775806/*", 0...9_223_372_036_854_775_806, nil),
    ]

    @Test("a valid Content-Range has the positions and the length of the body", arguments: good)
    func parse(_ text: String, range: ClosedRange<Int64>?, total: Int64?) throws {
        let parsed = try #require(ContentRange(text))
        #expect(parsed.range == range)
        #expect(parsed.total == total)
    }

    @Test(
        "a malformed or contradictory Content-Range is rejected",
        arguments: [
            "", " ", "bytes", "bytes ", "bytes 1", "bytes 1-", "bytes -1", "bytes 1-2", "bytes 1-2/", "bytes /3",
            "bytes */*",
            "bytes *", "bytes -/3", "bytes 1-2-3/4", "bytes 1-2/3/4", "bytes 2-1/3", "bytes 0-3/3", "bytes 3-3/3",
            "bytes 0-0/0", "bytes -1-2/3", "bytes 0--1/3", "bytes 0-1/-3", "bytes +0-1/3", "bytes 0-+1/3",
            "bytes 0x0-1/3",
            "bytes 0-1.0/3", "bytes  0-1/3", " bytes 0-1/3", "bytes 0-1/3 ", "bytes 0 -1/3", "bytes 0- 1/3",
            "bytes 0-1 /3",
            "bytes 0-1/ 3", "bytes\t0-1/3", "bytes=0-1/3", "bytes 0-1/3, bytes 0-1/3", "items 0-1/3", "0-1/3",
            "bytes٠-١/٣",
            "bytes ٠-١/٣", "bytes 0-1/３", "bytes 0-9223372036854775807/*", "bytes 0-1/9223372036854775808",
            "bytes 0-1/18446744073709551616", "bytes 0-18446744073709551615/*", "bytes 99999999999999999999-1/*",
            "bytes */99999999999999999999999999999999999999999999", "bytes 0-1/3\0", "bytes 0-1/3\u{301}",
            "bytes " + String(repeating: "9", count: 100_000) + "-1/3", String(repeating: "-", count: 100_000),
            "bytes " + String(repeating: "/", count: 100_000),
        ]
    )
    func refuse(_ text: String) {
        #expect(ContentRange(text) == nil)
    }
}
