import Foundation
import Moya
import Testing

@Suite("A response is converted to an output")
struct OutputTests {
    private func response(_ body: String, status: Int = 200) -> Response {
        Response(statusCode: status, data: Data(body.utf8))
    }

    @Test("a Decodable output is decoded, even at a key path")
    func decoded() throws {
        let user = User(login: "a", id: 1)
        #expect(try response(#"{"login":"a","id":1}"#).output(User.self) == user)
        #expect(try response(#"[{"login":"a","id":1}]"#).output() == [user])
        #expect(try response(#"{"data":{"user":{"login":"a","id":1}}}"#).output(atKeyPath: "data.user") == user)
        #expect(try response("7").output(Int.self) == 7)
    }

    @Test("an Optional output is nil for an empty body and for JSON's null", arguments: [200, 204, 205])
    func optionals(status: Int) throws {
        let empty = response("", status: status)
        #expect(try empty.output(User?.self) == nil)
        #expect(try empty.output([User]?.self) == nil)
        #expect(try empty.output(String?.self) == nil)
        #expect(try empty.output(Data?.self) == nil)
        #expect(try empty.output(User?.self, atKeyPath: "data") == nil)
        #expect(try empty.output(User?.self, using: PropertyListDecoder()) == nil)
        #expect(try response("null").output(User?.self) == nil)
        #expect(try response(#"{"data":null}"#).output(User?.self, atKeyPath: "data") == nil)
        #expect(try response(#"{"login":"a"}"#).output(User?.self) == User(login: "a"))
    }

    @Test("an output that is not Optional is not decoded from an empty body")
    func emptyIsRefused() {
        struct AllOptional: Decodable { var name: String? }
        let response = response("", status: 204)
        let errors = [
            #expect(throws: MoyaError.self) { try response.output(User.self) },
            #expect(throws: MoyaError.self) { try response.output([User].self) },
            #expect(throws: MoyaError.self) { try response.output(AllOptional.self) },
        ]
        for error in errors {
            guard case .objectMapping(is DecodingError, let refused) = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
            #expect(refused === response)
        }
    }

    @Test("a missing value at an output's key path is an error, even for an Optional")
    func missing() {
        let response = response(#"{"data":{}}"#)
        for path in ["dta", "data.user"] {
            let error = #expect(throws: MoyaError.self) { try response.output(User?.self, atKeyPath: path) }
            #expect(error?.name == "jsonMapping")
        }
    }

    @Test("a Data output has the bytes of the unchanged body", arguments: ["", "{}", "\u{0}x"])
    func data(body: String) throws {
        #expect(try response(body).output(Data.self) == Data(body.utf8))
        #expect(try response(body).output(Data?.self) == (body.isEmpty ? nil : Data(body.utf8)))
    }

    @Test("a String output is the body's text including quotes, and invalid UTF-8 causes .stringMapping")
    func text() throws {
        #expect(try response(#""a""#).output(String.self) == #""a""#)
        #expect(try response("").output(String.self).isEmpty)
        #expect(try response("null").output(String?.self) == "null")
        let bytes = Response(statusCode: 200, data: Data([0xFF]))
        for error in [
            #expect(throws: MoyaError.self, performing: { try bytes.output(String.self) }),
            #expect(throws: MoyaError.self, performing: { try bytes.output(String?.self) }),
        ] {
            #expect(error?.name == "stringMapping")
        }
    }

    @Test("Data and String outputs are decoded if there is a key path")
    func atKeyPath() throws {
        let response = response(#"{"text":"a","bytes":"YQ==","none":null}"#)
        #expect(try response.output(String.self, atKeyPath: "text") == "a")
        #expect(try response.output(String?.self, atKeyPath: "none") == nil)
        #expect(try response.output(Data.self, atKeyPath: "bytes") == Data("a".utf8))
    }

    @Test("a typed target accepts any decoder for its output")
    func decoders() throws {
        let list = try PropertyListEncoder().encode(["user": User(login: "a")])
        let response = Response(statusCode: 200, data: list)
        let user = try response.output(User.self, atKeyPath: "user", using: PropertyListDecoder())
        #expect(user == User(login: "a"))
    }

    @Test("an output can be Void, Response, Optional, String or Data", arguments: TypedEntryPoint.allCases)
    func targets(entryPoint: TypedEntryPoint) async throws {
        let nothing: Void = try await entryPoint.request(Delete(), stub: (204, "")).get()
        #expect(nothing == ())
        try await entryPoint.request(Delete(), stub: (200, "<html>")).get()
        #expect(await entryPoint.request(Delete(), stub: (500, "")).failure?.response?.statusCode == 500)
        let response = try await entryPoint.request(Look(), stub: (203, "any")).get()
        #expect(response.statusCode == 203)
        let none = try await entryPoint.request(Ask<User?>(), stub: (204, "")).get()
        #expect(none == nil)
        let some = try await entryPoint.request(Ask<User?>(outputKeyPath: "a"), stub: (200, #"{"a":{"login":"a"}}"#))
            .get()
        #expect(some == User(login: "a"))
        let text = try await entryPoint.request(Ask<String>(), stub: (200, "text")).get()
        #expect(text == "text")
        let data = try await entryPoint.request(Ask<Data>(), stub: (200, "data")).get()
        #expect(data == Data("data".utf8))
    }

    @Test("a Void target has no output and causes no warning about an unused result")
    func void() async throws {
        try await provider(stub: (204, "")).request(Delete())
        try await provider(of: MultiTarget.self, stub: (204, "")).request(Delete())
    }
}
