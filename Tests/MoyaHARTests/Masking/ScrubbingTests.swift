import Foundation
import Moya
import TestTraits
import Testing

@testable import MoyaHAR

@Suite("One secret is masked in a whole HAR entry", .ownThread)
struct ScrubbingTests {
    private func entry(_ headers: [(String, String)], body: String, type: String = "application/json") -> HAR.Entry {
        var entry = HAR.small.entries[0]
        entry.request.headers = headers.map { HAR.Field(name: $0.0, value: $0.1) }
        entry.response.headers = []
        entry.response.content = HAR.Content(size: Int64(body.utf8.count), mimeType: type, text: body)
        return entry
    }

    private func text(_ entry: HAR.Entry) throws -> String {
        String(decoding: try HAR(entries: [entry.masking(.standard)]).data(), as: UTF8.self)
    }

    @Test(
        "a secret is masked in every encoding of a recording",
        arguments: [
            "tok/5ecret+value=", "tok%2F5ecret%2Bvalue%3D", "tok%252F5ecret%252Bvalue%253D", #"tok\/5ecret+value="#,
            #"tok\u002f5ecret\u002Bvalue\u003d"#, Data("tok/5ecret+value=".utf8).base64EncodedString(),
            Data("user:tok/5ecret+value=".utf8).base64EncodedString(), "xtok/5ecret+value=x",
        ]
    )
    func encodings(_ echo: String) throws {
        let entry = entry(
            [("Authorization", "Bearer tok/5ecret+value=")],
            body: #"{"echo":"\#(echo)","a":"invalid_grant"}"#
        )
        let content = entry.masking(.standard).response.content.text ?? ""
        #expect(content.contains("***") && content.contains(#""a":"invalid_grant"}"#), "\(content)")
        // In base64, up to two characters at the ends of the secret also depend on adjacent bytes, and may remain.
        #expect(!content.contains("5ecret") && !content.contains(echo), "\(content)")
    }

    @Test("a secret is masked in every member of a HAR entry")
    func places() throws {
        var entry = entry(
            [("Authorization", "Basic " + Data("ash:pa55word".utf8).base64EncodedString())],
            body: "pa55word"
        )
        entry.request.url = "https://h.example/users/pa55word?q=pa55word"
        entry.request.queryString = [HAR.Field(name: "q", value: "pa55word")]
        entry.request.headers.append(HAR.Field(name: "X-Debug", value: "was pa55word"))
        entry.request.postData = HAR.PostData(mimeType: "text/plain", text: "it is pa55word")
        entry.response.statusText = "pa55word"
        entry.response.error = "no pa55word"
        entry.response.comment = "pa55word"
        entry.comment = "pa55word"
        let text = try text(entry)
        #expect(!text.contains("pa55word"), "\(text)")
        #expect(text.contains("https://h.example/users/***?q=***"), "\(text)")
    }

    @Test("a response's secret is masked in the recorded request, and in a base64 body")
    func response() throws {
        var entry = entry([("X-Echo", "abcdefgh12345678")], body: "")
        entry.response.content.text = Data(#"{"access_token":"abcdefgh12345678"}"#.utf8).base64EncodedString()
        entry.response.content.encoding = "base64"
        let masked = entry.masking(.standard)
        #expect(masked.request.headers.map(\.value) == ["***"])
        #expect(masked.response.content.data == Data(#"{"access_token":"***"}"#.utf8))
    }

    @Test(
        "masking a short secret changes neither words nor the structure of a HAR entry",
        arguments: [
            ("r", #"{"error":"invalid_grant","r":1,"x":"r"}"#, #"{"error":"invalid_grant","r":1,"x":"r"}"#),
            ("grant", #"{"error":"invalid_grant","x":"grant"}"#, #"{"error":"invalid_grant","x":"***"}"#),
            ("true", #"{"ok":true}"#, #"{"ok":true}"#),
            ("1234", #"{"id":1234}"#, #"{"id":1234}"#),
            ("1234567890", #"{"id":1234567890}"#, #"{"id":"***"}"#),
            ("identity", #"{"identity":"identity"}"#, #"{"identity":"***"}"#),
            ("example", #"{"a":"b"}"#, #"{"a":"b"}"#),
        ]
    )
    func short(_ token: String, _ body: String, _ masked: String) {
        let entry = entry([("Authorization", "Bearer \(token)"), ("Content-Type", "application/\(token)")], body: body)
        let result = entry.masking(.standard)
        #expect(result.response.content.text == masked)
        #expect(result.request.headers[1].value == "application/\(token)")
        #expect(result.request.url == entry.request.url)
    }

    @Test("a HAR entry is replayable if the request's path contains the response's secret")
    func replay() throws {
        var entry = entry([], body: #"{"token":"abcdefgh12345678"}"#)
        entry.request.url = "https://h/session/abcdefgh12345678/keep"
        entry.request.postData = nil
        entry.request.bodySize = 0
        entry.request.queryString = []
        var matcher = HARMatcher(HAR(entries: [entry.masking(.standard)]))
        var actual = entry.request
        #expect(throws: HARMismatch.self) {
            actual.url = "https://h/session/abcdefgh12345678/other"
            _ = try matcher.take(actual)
        }
        actual.url = "https://h/session/abcdefgh12345678/keep"
        #expect(try matcher.take(actual).index == 0)
    }

    @Test("masking takes linear time for many secrets in a long body")
    func linear() {
        let tokens = (0..<5_000).map { #"{"token":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\#($0)"}"# }.joined(
            separator: ","
        )
        let body = "[\(tokens)]" + String(repeating: "a", count: 500_000)
        #expect(!(entry([], body: body).masking(.standard).response.content.text ?? "").contains("aaaa4999"))
    }
}
