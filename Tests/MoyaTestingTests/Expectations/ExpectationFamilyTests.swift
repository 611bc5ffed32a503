import Foundation
import MoyaTesting
import Testing

private let jsonType: HTTPFields = [.contentType: "application/json"]
private let formType: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]
private let fields: HTTPFields = [.eTag: "1", .accept: "b"]
private let user = #"{"name":"Ann","age":36,"roles":["admin"],"manager":{"name":"Bob","age":40}}"#

private func query(_ query: String, is expected: ExpectedRequest, _ difference: String? = nil) -> ExpectingCase {
    ExpectingCase(.get, "http://h/a?\(query)", is: expected, difference)
}

private func headers(is expected: ExpectedRequest, _ difference: String? = nil) -> ExpectingCase {
    ExpectingCase(.post, "http://h/a", fields, is: expected, difference)
}

private func form(_ text: String, is expected: ExpectedRequest, _ difference: String? = nil) -> ExpectingCase {
    ExpectingCase(.post, "http://h/a", formType, text, is: expected, difference)
}

private func json(is expected: ExpectedRequest, _ difference: String? = nil) -> ExpectingCase {
    ExpectingCase(.post, "http://h/a", jsonType, user, is: expected, difference)
}

@Suite("Expectations can name one value, several values, exactly these values, or a missing value")
struct ExpectationFamilyTests {
    private struct Person: Encodable {
        var name = "Ann"
        var age = 36
    }

    private struct Employee: Encodable {
        var name = "Ann"
        var age = 36
        var roles = ["admin"]
        var manager = Person(name: "Bob", age: 40)
    }

    private static let person = Employee()

    static let met: [ExpectingCase] = [
        query("x=1&y=2", is: .get("/a").query("x", "1")),
        query("x=1&y=2&x=3", is: .get("/a").query(including: ["x": "1", "x": "3"])),
        query("x=1&y=2", is: .get("/a").query(including: ["x": "***"])),
        query("x=1&y=2&z=3", is: .get("/a").query("x", "1").query(including: ["y": "2"])),
        query("x=1&y=2", is: .get("/a").query(exactly: ["x": "1"]).query("y", "2")),
        query("x=1&y=2", is: .get("/a").query("z", "1").query(exactly: ["y": "2", "x": "1"])),
        query("x=1", is: .get("/a").query(including: [:]).without(query: "y")),

        headers(is: .post().header("ETAG", "1")),
        headers(is: .post().headers(including: ["Accept": "b"])),
        headers(is: .post().headers(including: ["accept": "***"]).header("ETag", "1")),
        headers(is: .post().headers(exactly: ["etag": "1", "Accept": "b"])),
        headers(is: .post().headers(exactly: ["etag": "1"]).header("Accept", "b").without(header: "Cookie")),

        form("a=1&b=2&a=3", is: .post().form("a", "1", "3")),
        form("a=1&b=2", is: .post().form(including: ["b": "2"])),
        form("a=1&b=2", is: .post().form("a", "***").form(including: ["b": "2"])),
        form("a=1&b=2", is: .post().form(exactly: ["b": "2", "a": "1"])),
        form("a=1&b=2", is: .post().form(["b": "2", "a": "1"])),
        form("a=1&b=2", is: .post().form(exactly: ["a": "1"]).form("b", "2").without(form: "c")),

        json(is: .post().json("name", "Ann")),
        json(is: .post().json("name", "***").json("age", 36).json("roles", ["admin"])),
        json(is: .post().json("manager", ["name": "Bob", "age": 40])),
        json(is: .post().json(including: Person())),
        json(is: .post().json(including: ["manager": ["name": "Bob"]]).json(including: ["manager": ["age": 40]])),
        json(is: .post().json(including: ["age": 36]).without(json: "email")),
        json(is: .post().json(exactly: ["name": "Ann"]).json(including: person)),
        json(is: .post().json(exactly: person)), json(is: .post().json(person)),
        json(is: .post().json(including: ["age": 1]).json(exactly: person)),
        json(is: .post().json("email", "a@b").without(json: "email").json("name", "Ann")),
        ExpectingCase(.post, "http://h/a", jsonType, #"{"n":null}"#, is: .post().json("n", nil)),
        ExpectingCase(.post, "http://h/a", jsonType, "[1]", is: .post().json("a", 1).json(including: [1])),
        ExpectingCase(.post, "http://h/a", jsonType, "{}", is: .post().json([1]).without(json: "a")),
    ]

    @Test("a request that meets an expectation by name passes", arguments: met)
    func passes(_ row: ExpectingCase) async throws {
        let requests = try await row.asked()
        #expect(failure { try requests.expect(row.expected) } == nil)
    }

    static let differing: [ExpectingCase] = [
        query("x=1", is: .get("/a").query(including: ["x": "2"]), "- query \"x\"  \"2\"\n+ query \"x\"  \"1\""),
        query("x=1&y=2", is: .get("/a").query(exactly: ["x": "1"]), "+ query \"y\"  \"2\""),

        headers(
            is: .post().headers(including: ["accept": "c"]),
            "- header \"accept\"  \"c\"\n+ header \"accept\"  \"b\""
        ),
        headers(is: .post().headers(exactly: ["Accept": "b"]), "+ header \"etag\"  \"1\""),
        headers(is: .post().headers(including: ["X": "1"]), "- header \"x\"  \"1\""),

        form("a=1", is: .post().form("a", "2"), "- form field \"a\"  \"2\"\n+ form field \"a\"  \"1\""),
        form("a=1", is: .post().form(including: ["b": "2"]), "- form field \"b\"  \"2\""),
        form("a=1&b=2", is: .post().form(exactly: ["a": "1"]), "+ form field \"b\"  \"2\""),
        form("a=1&b=2", is: .post().form("a", "1").without(form: "b"), "+ form field \"b\"  \"2\""),
        json(
            is: .post().form("a", "1"),
            "- body  a form\n+ body  \(user.utf8.count) bytes, not a form"
        ),

        json(is: .post().json("age", 37), "- $.age  37\n+ $.age  36"),
        json(is: .post().json("email", "a@b"), "- $.email  \"a@b\""),
        json(is: .post().json(including: ["name": "Ann"]).without(json: "age"), "+ $.age  36"),
        json(
            is: .post().json(exactly: person).without(json: "age"),
            "+ $.age  36"
        ),
        json(
            is: .post().json(exactly: Person()),
            "+ $.manager  an object of 2\n+ $.roles    a list of 1"
        ),
    ]

    @Test("a mismatch of an expectation by name shows the difference", arguments: differing)
    func differs(_ row: ExpectingCase) async throws {
        let requests = try await row.asked()
        let text = failure { try requests.expect(row.expected) }
        let head = "The nearest is request 0, \(requests[0]): (- expected, + actual)"
        #expect(text == "No request matches: \(row.expected)\n\(head)\n\(row.difference ?? "")")
    }

    @Test("an exact expectation also compares the headers that a session adds")
    func sessionHeaders() async throws {
        let transport = ScriptedTransport().next(.status(204))
        let configuration = URLSessionConfiguration.default
        configuration.headers = [
            "User-Agent": "App/1", "Accept": "*/*", "Accept-Encoding": "br", "Accept-Language": "de",
        ]
        let session = Session(transport: transport, configuration: configuration)
        _ = try await MoyaProvider<Shop>(session: session).request(.list)
        let expected = ExpectedRequest.get().headers(exactly: [
            "User-Agent": "App/1", "Accept": "*/*", "Accept-Encoding": "br", "Accept-Language": "de",
        ])
        try transport.requests.expect(expected)
        #expect(throws: RequestMismatch.self) { try transport.requests.expect(expected.without(header: "Accept")) }
        #expect(throws: RequestMismatch.self) { try transport.requests.expect(.get().headers(exactly: [:])) }
    }

    @Test("a value that JSON cannot represent makes the expectation invalid, and the error names the type")
    func invalid() async throws {
        let requests = try await CapturingTransport.asked(.post, "http://h/a").requests
        let number = ExpectedRequest.post().json("a", Double.nan)
        #expect(failure { try requests.expect(number) }?.contains("Double can't be encoded as JSON") == true)
    }
}
