import Foundation
import Moya
import MoyaHAR
import MoyaTesting
import Testing

@Suite("Exact expectations compare letters and numbers exactly")
struct ExactExpectingTests {
    private func request(_ url: String, _ body: String, _ type: String) throws -> CapturedRequest {
        let log = RequestLog()
        let transportRequest = TransportRequest(
            method: .post,
            url: try #require(URL(string: url)),
            headers: [.contentType: type]
        )
        log.add(transportRequest, body: CapturedBody(Data(body.utf8), limit: 10_000))
        return try #require(log.requests.first)
    }

    @Test("exact expectations distinguish composed from decomposed letters, and adjacent numbers")
    func exact() throws {
        let form = "application/x-www-form-urlencoded"
        let query = try request("https://h/p?q=%C3%A9", #"{"id":9007199254740993,"n":"\u00e9"}"#, "application/json")
        #expect(query.matches(.post("/p").query("q", "\u{E9}")))
        #expect(!query.matches(.post("/p").query("q", "e\u{301}")))
        #expect(throws: RequestMismatch.self) { try query.expect(.post("/p").query("q", "e\u{301}")) }
        #expect(query.query["q"] == "\u{E9}" && query.query != ["q": "e\u{301}"] && query.query == ["q": "\u{E9}"])
        #expect(query.matches(.post().json(including: ["id": 9_007_199_254_740_993])))
        #expect(!query.matches(.post().json(including: ["id": 9_007_199_254_740_992])))
        #expect(!query.matches(.post().json(including: ["n": "e\u{301}"])))
        #expect(throws: RequestMismatch.self) { try query.expect(.post().json(including: ["n": "e\u{301}"])) }
        #expect(query.matches(.post().json(including: ["n": "\u{E9}"])))
        let fields = try request("https://h/p", "a=%C3%A9", form)
        #expect(fields.matches(.post().form(["a": "\u{E9}"])))
        #expect(!fields.matches(.post().form(["a": "e\u{301}"])))
        #expect(throws: RequestMismatch.self) { try fields.expect(.post().form(["a": "e\u{301}"])) }
    }

    @Test("the errors of expectations mask nested names, JSON in strings and URLs in URLs")
    func masked() throws {
        let body =
            #"{"user":{"accessToken":"5ecret"},"s":"{\"pwd\":\"5ecret\"}","u":"http://h/?n=http%3A%2F%2Fi%3Ftoken%3D5ecret"}"#
        let seen = try request("https://h/p?user[password]=5ecret&code=5ecret", body, "application/json")
        let expectations: [ExpectedRequest] = [
            .post("/p").json(["user": ["accessToken": "x"], "s": "x", "u": "y"]),
            .post("/p").query("user[password]", "x"),
            .post("/p").query("code", "x"), .post("/p").text("x"),
        ]
        for expected in expectations {
            do {
                try seen.expect(expected)
                Issue.record("\(expected) is met")
            } catch {
                #expect(!"\(error)".contains("5ecret"), "\(error)")
            }
        }
    }
}
