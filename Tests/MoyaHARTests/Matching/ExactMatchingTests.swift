import Foundation
import Moya
import Testing

@testable import MoyaHAR

@Suite("Recorded texts and numbers are compared exactly")
struct ExactMatchingTests {
    @Test(
        "JSON bodies of requests are compared by their values",
        arguments: [
            ("9007199254740993", "9007199254740992", false), ("18446744073709551617", "18446744073709551616", false),
            ("0.1", "0.10000000000000000001", false), ("1", "1.0", true), ("1", "10e-1", true), ("100", "1e2", true),
            ("-0", "0", true), ("1e400", "1e401", false), ("1", "true", false), ("1e99999999999999999999", "1", false),
            ("\"\u{E9}\"", "\"e\u{301}\"", false), (#""\u00e9""#, "\"\u{E9}\"", true),
            ("{\"\u{E9}\":1}", "{\"e\u{301}\":1}", false), (#"{"a":1,"b":[2]}"#, #"{ "b" : [2], "a" : 1 }"#, true),
            ("\"a***c\"", "\"abc\"", false),
        ]
    )
    func json(_ first: String, _ second: String, _ isSame: Bool) throws {
        let (one, two) = (try #require(JSONValue(Data(first.utf8))), try #require(JSONValue(Data(second.utf8))))
        #expect(one.differences(to: two).isEmpty == isSame)
        #expect((one == two) == isSame)
    }

    @Test(
        "ambiguous JSON of a recording is not parsed",
        arguments: [
            "", "01", "1.", ".5", "+1", "1e", "[1,]", "{\"a\":1,}", "{\"a\":1,\"a\":2}", "\"\\ud800\"", "\"\u{1}\"",
            "nul", "1 2",
            "[1", "{\"a\"}", "NaN", "'a'",
        ]
    )
    func none(_ text: String) { #expect(JSONValue(Data(text.utf8)) == nil) }

    @Test("JSON of a recording that is nested too deeply or is not UTF-8 is not parsed")
    func deep() {
        #expect(JSONValue(Data(String(repeating: "[", count: 100_000).utf8)) == nil)
        #expect(JSONValue(Data([0x22, 0xFF, 0x22])) == nil)
    }

    @Test(
        "numbers in JSON are written unchanged",
        arguments: [
            "0", "-1", "9007199254740993", "18446744073709551615", "0.1", "-12.5", "123456789012345678901234567890",
            "0.001",
        ]
    )
    func numbers(_ text: String) throws {
        let value = try #require(JSONValue(Data("[\(text)]".utf8)))
        let written = try JSONEncoder().encode(value)
        #expect(JSONValue(written) == value, "\(String(decoding: written, as: UTF8.self))")
    }

    @Test("a recorded request does not match a request with a decomposed letter or an adjacent number")
    func requests() throws {
        func request(_ query: String, _ path: String, _ body: String, _ type: String) -> HAR.Request {
            HAR.Request(
                method: "POST",
                url: "https://h/\(path)?q=\(query)",
                postData: HAR.PostData(mimeType: type, text: body),
                bodySize: Int64(body.utf8.count)
            )
        }
        let form = "application/x-www-form-urlencoded"
        let rows: [(HAR.Request, HAR.Request)] = [
            (request("\u{E9}", "p", "", "text/plain"), request("e\u{301}", "p", "", "text/plain")),
            (request("1", "\u{E9}", "", "text/plain"), request("1", "e\u{301}", "", "text/plain")),
            (request("1", "p", "a=%C3%A9", form), request("1", "p", "a=e%CC%81", form)),
            (request("1", "p", "%C3%A9=1", form), request("1", "p", "e%CC%81=1", form)),
            (
                request("1", "p", #"{"id":9007199254740993}"#, "application/json"),
                request("1", "p", #"{"id":9007199254740992}"#, "application/json")
            ),
        ]
        for (recorded, actual) in rows {
            let har = HAR(
                entries: [HAR.Entry(startedDateTime: Date(), request: recorded, response: HAR.Response(status: 200))]
            )
            var matcher = HARMatcher(har)
            #expect(throws: HARMismatch.self) { _ = try matcher.take(actual) }
            #expect(try matcher.take(recorded).index == 0)
        }
    }

    @Test(
        "recording and masking keep a body's byte order mark",
        arguments: ["application/json", "text/plain; charset=utf-8", ""]
    )
    func mark(_ type: String) throws {
        let data = Data([0xEF, 0xBB, 0xBF]) + Data(#"{"a":1}"#.utf8)
        let content = HAR.Content(CapturedBody(data, limit: 100), mimeType: type)
        #expect(content.data == data)
        let entry = HAR.Entry(
            startedDateTime: Date(),
            request: HAR.Request(method: "GET", url: "http://h/"),
            response: HAR.Response(status: 200, content: content)
        )
        let read = try HAR(data: HAR(entries: [entry.masking(.standard)]).data())
        #expect(read.entries.first?.response.content.data == data)
        let post = HAR.PostData(CapturedBody(data, limit: 100), mimeType: type)
        #expect(post.data == data)
    }
}
