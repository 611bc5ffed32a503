import Foundation
import Testing

@testable import MoyaHTTP

@Suite("A base URL finds its requests, and moves them to another one")
struct BaseURLTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let base: String
        let url: String
        var other = "https://b.test/v2"
        /// The URL under the other base URL; `nil` if the URL does not begin with the base URL.
        let moved: String?

        var testDescription: String { "\(url) of \(base)" }
    }

    static let cases: [Case] = [
        Case(base: "https://a.test", url: "https://a.test/x", moved: "https://b.test/v2/x"),
        Case(base: "https://a.test", url: "https://a.test", moved: "https://b.test/v2"),
        Case(base: "https://a.test/", url: "https://a.test/", moved: "https://b.test/v2/"),
        Case(base: "https://a.test/", url: "https://a.test?q=1", moved: "https://b.test/v2?q=1"),
        Case(base: "https://a.test/v1", url: "https://a.test/v1/x?q=a%20b#f", moved: "https://b.test/v2/x?q=a%20b#f"),
        Case(base: "https://a.test/v1/", url: "https://a.test/v1/x", moved: "https://b.test/v2/x"),
        Case(base: "https://a.test/v1", url: "https://a.test/v1", moved: "https://b.test/v2"),
        Case(base: "https://a.test/v1", url: "https://a.test/v1?q", moved: "https://b.test/v2?q"),
        // A path is compared segment by segment, and case matters.
        Case(base: "https://a.test/v1", url: "https://a.test/v10/x", moved: nil),
        Case(base: "https://a.test/v1", url: "https://a.test/V1/x", moved: nil),
        Case(base: "https://a.test/v1", url: "https://a.test/", moved: nil),
        // Schemes, hosts and ports are those of an origin.
        Case(base: "https://a.test:443/v1", url: "HTTPS://A.Test/v1/x", moved: "https://b.test/v2/x"),
        Case(base: "https://a.test", url: "https://a.test:8443/x", moved: nil),
        Case(base: "https://a.test", url: "http://a.test/x", moved: nil),
        Case(base: "https://a.test", url: "https://a.test.evil.test/x", moved: nil),
        Case(base: "https://a.test", url: "https://b.test/x", moved: nil),
        // Escapes stay, and credentials of neither URL are moved.
        Case(base: "https://a.test", url: "https://a.test/a%2Fb/%C3%A9", moved: "https://b.test/v2/a%2Fb/%C3%A9"),
        Case(base: "https://u:p@a.test", url: "https://v:q@a.test/x", moved: "https://b.test/v2/x"),
        Case(
            base: "https://a.test",
            url: "https://a.test/x",
            other: "http://u:p@b.test:81/?z",
            moved: "http://b.test:81/x"
        ),
        Case(
            base: "http://[::1]:80/a",
            url: "http://[::1]/a/b",
            other: "http://[::2]:8080",
            moved: "http://[::2]:8080/b"
        ),
    ]

    @Test(
        "a URL that begins with a base URL gets the other one, with the rest of its path and its query",
        arguments: cases
    )
    func moves(_ row: Case) throws {
        let base = try #require(BaseURL(.test(row.base)))
        let other = try #require(BaseURL(.test(row.other)))
        let moved = base.suffix(of: .test(row.url)).flatMap { other.url(appending: $0) }
        #expect(moved?.absoluteString == row.moved)
    }

    @Test(
        "other URLs than absolute http and https URLs are no base URLs",
        arguments: ["ftp://a.test", "/v1", "a.test", "https:"]
    )
    func invalid(_ text: String) throws {
        #expect(BaseURL(try #require(URL(string: text))) == nil)
        let group = BaseURLGroup([.test("https://a.test"), .test(text)], period: .zero, clock: ContinuousClock())
        #expect(group.count == 1)
        let none = BaseURLGroup([.test(text), .test("https://a.test")], period: .zero, clock: ContinuousClock())
        #expect(none.count == 0)
        #expect(none.suffix(of: .test("https://a.test/x")) == nil)
    }

    @Test("the alternatives of a URL are its URLs under all base URLs")
    func alternatives() {
        let group = BaseURLGroup(
            [.test("https://a.test/v1"), .test("https://b.test"), .test("https://c.test/x/")],
            period: .zero,
            clock: ContinuousClock()
        )
        let expected = ["https://a.test/v1/i?q=1", "https://b.test/i?q=1", "https://c.test/x/i?q=1"]
        for url in expected { #expect(group.alternatives(to: .test(url)).map(\.absoluteString) == expected) }
        #expect(group.alternatives(to: .test("https://d.test/i")).isEmpty)
    }
}
