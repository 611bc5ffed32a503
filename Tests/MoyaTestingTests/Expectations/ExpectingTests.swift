import Foundation
import TestTraits
import Testing

@testable import MoyaTesting

private let json: HTTPFields = [.contentType: "application/json"]
private let multipart: HTTPFields = [.contentType: "multipart/form-data; boundary=b"]
private let parts =
    "--b\r\nContent-Disposition: form-data; name=\"title\"\r\n\r\nMilk\r\n"
    + "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a;b%22.txt\"\r\nContent-Type: text/plain\r\n\r\n"
    + "one\r\ntwo\r\n--b\r\nContent-Disposition: form-data; name=\"pen\"\r\n\r\n1\r\n"
    + "--b\r\nContent-Disposition: form-data; name=\"pen\"\r\n\r\n2\r\n--b--\r\n"
private let form: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]

/// A request, an expectation, and the complete difference that the failure shows; `nil` if the request matches.
struct ExpectingCase: Sendable, CustomTestStringConvertible {
    let method: HTTPMethod
    let url: String
    var headers: HTTPFields = [:]
    var body: Data?
    let expected: ExpectedRequest
    var difference: String?
    var testDescription: String { "\(method.rawValue) \(url) \(expected)" }

    init(
        _ method: HTTPMethod = .post,
        _ url: String = "http://h/a",
        _ headers: HTTPFields = [:],
        _ body: String? = nil,
        is expected: ExpectedRequest,
        _ difference: String? = nil
    ) {
        (self.method, self.url, self.headers, self.expected) = (method, url, headers, expected)
        self.body = body.map { Data($0.utf8) }
        self.difference = difference
    }

    init(bytes: [UInt8], is expected: ExpectedRequest, _ difference: String? = nil) {
        self.init(.post, "http://h/a", is: expected, difference)
        body = Data(bytes)
    }

    func asked() async throws -> [CapturedRequest] {
        let transport = CapturingTransport.answering()
        _ = try await transport.ask(url, method: method, headers: headers, body: body.map { .data($0) })
        return transport.requests
    }
}

@Suite("A request can be expected", .ownThread)
struct ExpectingTests {
    private struct User: Encodable {
        var name = "Ann"
        var age = 36
        var manager: String?
    }

    static let met: [ExpectingCase] = [
        .init(is: .any), .init(.get, "http://h/a?x=1", is: .get("/a")), .init(.get, "http://h/a", is: .get()),
        .init(.get, "HTTP://H:80/a", is: .get("http://h/a")), .init(.get, "http://h", is: .get("/")),
        .init(.get, "http://h/a", is: .get("a")), .init(.get, "http://h/zo%C3%AB%20x", is: .get("/zoë x")),
        .init(.get, "http://h/%C3%AB", is: .get("/%C3%AB")),
        .init(.get, "http://h/a/b", is: ExpectedRequest(nil, "a/b")),
        .init(.head, is: .head()), .init(.put, is: .put("/a")), .init(.patch, is: .patch("/a")),
        .init(.delete, is: .delete("/a")),
        .init(HTTPMethod(rawValue: "PURGE"), is: ExpectedRequest(HTTPMethod(rawValue: "PURGE"), "/a")),
        .init(.get, "http://h/a?y=2&x=1", is: .get("/a?x=1&y=2")),
        .init(.get, "http://h/a?x=a+b", is: .get("/a?x=a%20b")),
        .init(.get, "http://h/a?x=1&y=2&x=3", is: .get("/a").query("x", "1", "3")),
        .init(.get, "http://h/a?x=anything", is: .get("/a").query("x", "***")),
        .init(.get, "http://h/a?x=1", is: .get("/a").query(exactly: ["x": "1"]).without(query: "y")),
        .init(.get, "http://h/a", is: .get("/a").query(exactly: [:])),
        .init(.post, "http://h/a", [.eTag: "1", .accept: "b"], is: .post().header("etag", "1").without(header: "X-B")),
        .init(.post, "http://h/a", [.authorization: "Bearer x"], is: .post().header("Authorization", "Bearer ***")),
        .init(.post, "http://h/a", [.authorization: "Bearer x"], is: .post().header("Authorization", "Bearer x")),
        .init(.post, "http://h/a", json, #" { "age" : 36.0, "name" : "Ann" } "#, is: .post().json(User())),
        .init(
            .post,
            "http://h/a",
            [:],
            #"{"a":[1,"x",null,true,1.5,{}]}"#,
            is: .post().json(["a": [1, "x", nil, true, 1.5, [:]]])
        ),
        .init(
            .post,
            "http://h/a",
            json,
            #"{"a":1,"b":{"c":2,"d":3},"e":[{"f":1,"g":2}]}"#,
            is: .post().json(including: ["b": ["d": 3], "e": [["f": 1]]])
        ),
        .init(.post, "http://h/a", json, #"{"name":"Ann","age":36,"x":1}"#, is: .post().json(including: User())),
        .init(.post, "http://h/a", json, "[1]", is: .post().json(text: " [1] ")),
        .init(.post, "http://h/a", json, #"{"id":"7f"}"#, is: .post().json(["id": "***"])),
        .init(.post, "http://h/a", form, "b=2&a=1&a=%20", is: .post().form(["a": "1", "a": " ", "b": "2"])),
        .init(
            .post,
            "http://h/a",
            multipart,
            parts,
            is: .post().part("file", "one\r\ntwo", fileName: "a;b\".txt").part("pen", "1").part("pen", Data("2".utf8))
        ),
        .init(.post, "http://h/a", multipart, parts, is: .post().part("title", "***")),
        .init(.post, "http://h/a", [:], "hello", is: .post().text("hello")),
        .init(.post, "http://h/a", [:], "hello", is: .post().body(Data("hello".utf8))),
        .init(.post, is: .post().withoutBody()), .init(.post, "http://h/a", [:], "", is: .post().withoutBody()),
        .init(.post, is: .post().text("")), .init(.post, is: .post().body(Data())),
        .init(bytes: [0xFF, 0, 1], is: .post().body(Data([0xFF, 0, 1]))),
    ]

    @Test(
        "a matching request meets an expectation, and properties that the expectation does not name are not compared",
        arguments: met
    )
    func passes(_ row: ExpectingCase) async throws {
        let requests = try await row.asked()
        #expect(failure { try requests.expect(row.expected) } == nil)
        #expect(failure { try requests.expect(inOrder: row.expected) } == nil)
        #expect(failure { try requests.expect(inAnyOrder: row.expected) } == nil)
        #expect(failure { try requests.expect(row.expected, times: 1) } == nil)
        #expect(failure { try requests[0].expect(row.expected) } == nil)
        #expect(requests[0].matches(row.expected))
        #expect(failure { try requests.expectNone(row.expected) }?.hasPrefix("A request was not expected: ") == true)
    }

    static let differing: [ExpectingCase] = [
        .init(.get, "http://h/a", is: .post("/a"), "- method  POST\n+ method  GET"),
        .init(.get, "https://h:8443/a", is: .get("http://h/a"), "- server  http://h\n+ server  https://h:8443"),
        .init(.get, "http://h/a/", is: .get("/a"), "- path  /a\n+ path  /a/"),
        .init(.get, "http://h/a?x=1", is: .get("/a?x=2"), "- query \"x\"  \"2\"\n+ query \"x\"  \"1\""),
        .init(.get, "http://h/a?x=1&z=3", is: .get("/a?x=1&y=2"), "- query \"y\"  \"2\"\n+ query \"z\"  \"3\""),
        .init(.get, "http://h/a?x=1", is: .get("/a").query(exactly: [:]), "+ query \"x\"  \"1\""),
        .init(
            .get,
            "http://h/a?x=1&x=2",
            is: .get("/a").query("x", "2", "1"),
            "- query \"x\"  \"2\", \"1\"\n+ query \"x\"  \"1\", \"2\""
        ),
        .init(.get, "http://h/a?x", is: .get("/a").without(query: "x"), "+ query \"x\"  \"\""),
        .init(
            .post,
            "http://h/a",
            [.accept: "b"],
            is: .post().header("ACCEPT", "c"),
            "- header \"accept\"  \"c\"\n+ header \"accept\"  \"b\""
        ),
        .init(.post, is: .post().header("Accept", "c"), "- header \"accept\"  \"c\""),
        .init(.post, "http://h/a", [.accept: "b"], is: .post().without(header: "Accept"), "+ header \"accept\"  \"b\""),
        .init(
            .post,
            "http://h/a",
            [.authorization: "Bearer x"],
            is: .post().header("Authorization", "Basic ***"),
            "- header \"authorization\"  \"Basic ***\"\n+ header \"authorization\"  \"Bearer ***\""
        ),
        .init(
            .post,
            "http://h/a",
            json,
            #"{"user":{"roles":["a","b","d"]},"n":null}"#,
            is: .post().json(["user": ["roles": ["a", "b", "c"]], "x": 1]),
            """
            + $.n              null
            - $.user.roles[2]  "c"
            + $.user.roles[2]  "d"
            - $.x              1
            """
        ),
        .init(.post, "http://h/a", json, "[1]", is: .post().json([1, 2]), "- $[1]  2"),
        .init(
            .post,
            "http://h/a",
            json,
            #"{"a":1,"b":2}"#,
            is: .post().json(including: ["a": 2, "c": 3]),
            "- $.a  2\n+ $.a  1\n- $.c  3"
        ),
        .init(
            .post,
            "http://h/a",
            json,
            #"{"a":{"b":1}}"#,
            is: .post().json(["a": [1]]),
            "- $.a  a list of 1\n+ $.a  an object of 1"
        ),
        .init(
            .post,
            "http://h/a",
            json,
            "{",
            is: .post().json(["a": 1]),
            "- body  JSON (an object of 1)\n+ body  1 byte, no JSON"
        ),
        .init(.post, is: .post().json(["a": 1]), "- body  JSON (an object of 1)\n+ body  none"),
        .init(.post, "http://h/a", [:], "x", is: .post().withoutBody(), "- body  none\n+ body  1 byte"),
        .init(
            .post,
            "http://h/a",
            form,
            "a=1&b=2",
            is: .post().form(["a": "2", "c": "3"]),
            """
            - form field "a"  "2"
            + form field "a"  "1"
            + form field "b"  "2"
            - form field "c"  "3"
            """
        ),
        .init(
            .post,
            "http://h/a",
            multipart,
            parts,
            is: .post().part("title", "Bread").part("file", Data([0xFF]), fileName: "c").part("pen", "1")
                .part("pen", "3").part("pen", "4").part("none", Data([0xFF])),
            """
            - part "title"            "Bread"
            + part "title"            "Milk"
            - part "file", file name  "c"
            + part "file", file name  "a;b\\".txt"
            - part "file"             1 byte
            + part "file"             8 bytes, different from byte 0 on
            - part "pen"              "3"
            + part "pen"              "2"
            - part "pen"              "4"
            - part "none"             1 byte
            """
        ),
        .init(
            .post,
            "http://h/a",
            json,
            "{}",
            is: .post().part("a", "1"),
            "- body  a form with \"a\"\n+ body  2 bytes, no multipart form"
        ),
        .init(
            .post,
            "http://h/a",
            json,
            "{}",
            is: .post().form(["a": "2"]),
            "- body  a form\n+ body  2 bytes, not a form"
        ),
        .init(
            .post,
            "http://h/a",
            [:],
            "one\ntwo\nthree",
            is: .post().text("one\nTwo\nthree"),
            "- body, line 2  \"Two\"\n+ body, line 2  \"two\""
        ),
        .init(.post, "http://h/a", [:], "one\ntwo", is: .post().text("one"), "+ body, line 2  \"two\""),
        .init(.post, "http://h/a", [:], "one", is: .post().text("one\n"), "- body, line 2  \"\""),
        .init(
            .post,
            "http://h/a",
            [:],
            "abcd",
            is: .post().body(Data("abX".utf8)),
            "- body  3 bytes\n+ body  4 bytes, different from byte 2 on"
        ),
        .init(bytes: [0xFF, 1], is: .post().text("x"), "- body  1 byte\n+ body  2 bytes, different from byte 0 on"),
        .init(bytes: [1, 2, 3], is: .post().body(Data([1, 2])), "- body  2 bytes\n+ body  3 bytes"),
        .init(.post, is: .target(Club.remove(id: 1)), "- target  Club.remove"),
        .init(
            .get,
            "http://h/a?x=1",
            json,
            "{\"a\":1}",
            is: .put("http://i/b?x=2").header("Accept", "c").json(["a": 2]),
            """
            - method           PUT
            + method           GET
            - server           http://i
            + server           http://h
            - path             /b
            + path             /a
            - query "x"        "2"
            + query "x"        "1"
            - header "accept"  "c"
            - $.a              2
            + $.a              1
            """
        ),
    ]

    @Test("the error of a mismatch shows every difference", arguments: differing)
    func differs(_ row: ExpectingCase) async throws {
        let requests = try await row.asked()
        let head = "The nearest is request 0, \(requests[0]): (- expected, + actual)"
        let text = failure { try requests.expect(row.expected) }
        #expect(text == "No request matches: \(row.expected)\n\(head)\n\(row.difference ?? "")")
        let other = failure { try requests.expect(inOrder: row.expected) }
        let there = "There was request 0, \(requests[0]): (- expected, + actual)"
        #expect(other == "Another request was expected here: \(row.expected)\n\(there)\n\(row.difference ?? "")")
        #expect(failure { try requests.expect(inAnyOrder: row.expected) } == text)
        #expect(failure { try requests[0].expect(row.expected) } == text)
        #expect(!requests[0].matches(row.expected))
        #expect(failure { try requests.expectNone(row.expected) } == nil)
        #expect(try requests.expect(row.expected, times: 0).isEmpty)
    }

    @Test("the error of an expectation contains the source location, the expectation, the request and the differences")
    func matchable() async throws {
        let transport = try await CapturingTransport.asked(.get, "http://h/a?page=1")
        let line = #line + 1
        let check: () throws -> Void = { try transport.requests.expect(.get("/a?page=2")) }
        let error = #expect(throws: RequestMismatch.self) { try check() }
        #expect(error?.location == "MoyaTestingTests/ExpectingTests.swift:\(line)")
        #expect(error?.reason == .noMatch)
        #expect(error?.expected == "GET /a?page=2")
        #expect(error?.request?.number == 0)
        #expect(error?.differences.map(\.place) == [.query("page")])
        #expect(error?.differences.map(\.expected) == ["\"2\""])
        #expect(error?.localizedDescription == error?.description)
        #expect(error?.description.hasPrefix("No request matches: GET /a?page=2 (at MoyaTestingTests/") == true)
        let difference = try #require(error?.differences.first)
        #expect("\(difference)" == "- query \"page\"  \"2\"\n+ query \"page\"  \"1\"")
    }

    @Test("an invalid expectation fails whether or not requests were sent")
    func invalid() async throws {
        let transport = try await CapturingTransport.asked(.get, "http://h/a")
        let text = "The expectation is invalid: "
        let noJSON = ExpectedRequest.get("/a").json(text: "{")
        let noValue = ExpectedRequest.get("/a").json(Double.infinity)
        for requests in [transport.requests, []] {
            for expected in [noJSON, noValue] {
                #expect(failure { try requests.expect(expected) }?.hasPrefix(text) == true)
                #expect(failure { try requests.expectNone(expected) }?.hasPrefix(text) == true)
                #expect(failure { try requests.expect(expected, times: 0) }?.hasPrefix(text) == true)
                #expect(failure { try requests.expect(inOrder: expected) }?.hasPrefix(text) == true)
                #expect(failure { try requests.expect(inAnyOrder: expected) }?.hasPrefix(text) == true)
            }
        }
        #expect(
            failure { try transport.requests.expect(noValue) }?.hasSuffix(
                "Double can't be encoded as JSON (EncodingError)"
            ) == true
        )
        await #expect(throws: RequestWaitError.self) {
            try await transport.log.wait(for: noJSON, timeout: .seconds(100))
        }
    }

    @Test("the error of an expectation truncates long values, and omits their common beginning")
    func longValues() async throws {
        let start = String(repeating: "a", count: 1000)
        let requests = try await ExpectingCase(.post, "http://h/a?q=\(start)X", json, "[\"\(start)X\"]", is: .any)
            .asked()
        #expect(
            failure { try requests.expect(.post().query("q", start + "Y").json(["\(start)Y"])) }?.split(separator: "\n")
                .suffix(4) == [
                    #"- query "q"  "…aaaaaaaaaaaaaaaaaaaaY""#,
                    #"+ query "q"  "…aaaaaaaaaaaaaaaaaaaaX""#,
                    #"- $[0]       "…aaaaaaaaaaaaaaaaaaaaY""#,
                    #"+ $[0]       "…aaaaaaaaaaaaaaaaaaaaX""#,
                ]
        )
    }

    @Test("secrets are compared by expectations, but never shown in errors")
    func secrets() async throws {
        let log = RequestLog(secrets: HARSecrets(names: ["pin"]))
        let transport = CapturingTransport.answering(log: log)
        let long = String(repeating: "x", count: 100)
        let url = "http://u:SECRET@h/a?access_token=SECRET1&pin=SECRET1&next=http://h/\(long)?api_key=SECRET1"
        let headers: HTTPFields = [
            .authorization: "Bearer SECRET1", .cookie: "a=SECRET1", .contentType: "application/json",
            .referer: "http://h?pin=SECRET1",
        ]
        let body =
            #"{"password":"SECRET1","user":{"pin":["SECRET1"]},"link":"http://h/\#(long)?api_key=SECRET1","gone":"?pin=SECRET1"}"#
        _ = try await transport.ask(url, method: .post, headers: headers, body: .data(Data(body.utf8)))
        let expected = ExpectedRequest.post("http://u:SECRET@h/b").query("access_token", "SECRET2").query(
            "pin",
            "SECRET2"
        )
        .query("next", "http://h/\(long)?api_key=SECRET2").header("Authorization", "Bearer SECRET2")
        .header("Cookie", "a=SECRET2").header("Referer", "http://h?pin=SECRET2")
        .json([
            "password": "SECRET2", "user": ["pin": ["SECRET2"]], "link": "http://h/\(long)?api_key=SECRET2",
            "new": "?pin=SECRET2",
        ])
        let error = #expect(throws: RequestMismatch.self) { try transport.requests.expect(expected) }
        var dumped = ""
        dump(error, to: &dumped)
        dump(expected, to: &dumped)
        let texts = [
            "\(String(describing: error))", String(reflecting: error), error?.localizedDescription ?? "", dumped,
        ]
        for text in texts { #expect(!text.contains("SECRET"), "\(text)") }
        #expect(error?.differences.count == 12, "each of them is seen to differ, and the path: \(texts[0])")
        #expect(texts[0].contains(#"+ header "authorization"  "Bearer ***" (another value)"#))
        let wait = await #expect(throws: RequestWaitError.self) { try await log.wait(for: expected, timeout: .zero) }
        #expect(wait?.description.contains("SECRET") == false)
        for (type, sent, other) in [
            ("text/plain", #"x "password":"SECRET1""#, #"x "password":"SECRET2""#),
            ("application/x-www-form-urlencoded", "pin=SECRET1&a=1", "pin=SECRET2&a=1"),
            (
                multipart[.contentType] ?? "",
                "--b\r\nContent-Disposition: form-data; name=\"pin\"\r\n\r\nSECRET1\r\n--b--",
                "--b\r\nContent-Disposition: form-data; name=\"pin\"\r\n\r\nSECRET2\r\n--b--"
            ),
            ("text/plain", "see http://h?pin=SECRET1 there", "see http://h?pin=SECRET2 there"),
        ] {
            let text = HTTPBody.data(Data(sent.utf8))
            _ = try await transport.ask("http://h/t", method: .put, headers: [.contentType: type], body: text)
            let asked = [try #require(transport.requests.last)]
            let failure = failure { try asked.expect(.put("/t").text(other)) } ?? ""
            #expect(failure.contains("(another value)") && !failure.contains("SECRET"), "\(failure)")
            try asked.expect(.put("/t").text(sent))
        }
        let part = "--b\r\nContent-Disposition: form-data; name=\"pin\"\r\n\r\nSECRET1\r\n--b--"
        _ = try await transport.ask("http://h/m", method: .put, headers: multipart, body: .data(Data(part.utf8)))
        let asked = try #require(transport.requests.last)
        let text = failure { try asked.expect(.put("/m").part("pin", "SECRET2").part("pin", "SECRET3")) } ?? ""
        #expect(
            text.hasSuffix("- part \"pin\"  ***\n+ part \"pin\"  *** (another value)\n- part \"pin\"  ***"),
            "\(text)"
        )
        #expect(asked.parts.map(\.text) == ["SECRET1"])
        #expect("\(asked.parts)" == "[part \"pin\", 7 bytes]")
    }

    @Test("hostile bodies are compared quickly, and the text of the expectation's error is short")
    func hostile() async throws {
        let deep = String(repeating: "[", count: 100_000)
        let names = (0..<5000).map { "n\($0)=\($0)" }.joined(separator: "&")
        let members = "{" + (0..<5000).map { "\"\n\($0)\":\($0)" }.joined(separator: ",") + "}"
        let lines = String(repeating: "x\n", count: 300_000)
        let rows: [ExpectingCase] = [
            .init(.post, "http://h/a", json, deep, is: .post().json([1])),
            .init(.post, "http://h/a", json, deep, is: .post().json(text: deep)),
            .init(.post, "http://h/a", form, names, is: .post().form([:])),
            .init(.get, "http://h/a?\(names)", is: .get("/a?x")),
            .init(
                .post,
                "http://h/a",
                json,
                members.replacingOccurrences(of: "\n", with: "\\n"),
                is: .post().json([:])
            ),
            .init(.post, "http://h/a", [:], lines, is: .post().text(lines + "y")),
            .init(bytes: [UInt8](repeating: 0xFE, count: 2_000_000), is: .post().text(lines)),
            .init(bytes: [UInt8](repeating: 0xFE, count: 500_000), is: .post().json(["a": 1])),
            .init(bytes: Array("{\"a\":\"\u{FFFD}\"}".utf8) + [0xC3], is: .post().json(["a": 1])),
        ]
        for row in rows {
            let requests = try await row.asked()
            let text = failure { try requests.expect(row.expected) }
            #expect(text != nil, "\(row.testDescription)")
            #expect((text?.utf8.count ?? 0) < 5000, "\(row.testDescription)")
            #expect(text.map { $0.split(separator: "\n").count < 70 } == true)
        }
    }
}
