import Foundation
import MoyaTesting
import Testing

@Suite("A script accepts JSON of literals, Encodable values and mixed dictionaries")
struct UntypedJSONTests {
    private struct Pet: Encodable {
        var name = "Rex"
        var born = Date(timeIntervalSinceReferenceDate: 0)
    }

    private func text(_ response: ScriptedResponse) async throws -> String {
        try await ScriptedTransport().next(response).ask("http://h/a").text
    }

    @Test("a dictionary in a variable is encoded as a scripted JSON object")
    func dictionary() async throws {
        let none: String? = nil
        let user: [String: any Sendable] = [
            "id": 1, "name": "octocat", "rating": 4.5, "isAdmin": true, "tags": ["a", "b"], "none": none,
            "address": ["city": "Pallet", "number": 7] as [String: any Sendable],
            "list": [1, "x", true] as [any Sendable], "empty": [String](),
        ]
        let expected =
            #"{"address":{"city":"Pallet","number":7},"empty":[],"id":1,"isAdmin":true,"list":[1,"x",true],"#
            + #""name":"octocat","none":null,"rating":4.5,"tags":["a","b"]}"#
        #expect(try await text(.json(user)) == expected)
        let untyped: [String: Any] = user
        #expect(try await text(.json(untyped, status: 201)) == expected)
        #expect(try await text(.json([user, ["id": 2]])) == "[\(expected),{\"id\":2}]")
        let list = [["id": 1] as [String: any Sendable]]
        #expect(try await text(.json(list)) == #"[{"id":1}]"#)
        let texts = ["a": "b"]
        #expect(try await text(.json(texts)) == #"{"a":"b"}"#)
    }

    @Test("Encodable values in a scripted dictionary are encoded by the given encoder")
    func encodable() async throws {
        let id = try #require(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"))
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        encoder.dateEncodingStrategy = .iso8601
        let value: [String: any Sendable] = ["id": id, "pets": [Pet()] as [Pet]]
        #expect(
            try await text(.json(value, encoder: encoder))
                == #"{"id":"\#(id.uuidString)","pets":[{"born":"2001-01-01T00:00:00Z","name":"Rex"}]}"#
        )
        #expect(try await text(.json(["pet": Pet(), "n": 1])) == #"{"n":1,"pet":{"born":0,"name":"Rex"}}"#)
    }

    @Test("the result of JSONSerialization keeps its numbers and Booleans in a script")
    func serialization() async throws {
        let json = #"{"big":9007199254740993,"float":1.5,"list":[true,false,null,1,0],"text":"é"}"#
        let object = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
        #expect(try await text(.json(object)) == json)
        let numbers: [String: Any] = [
            "a": NSNumber(value: true), "b": NSNumber(value: 1), "c": NSNumber(value: UInt64.max),
            "d": NSNumber(value: 0.5), "e": NSDecimalNumber(string: "1.1"), "f": NSNull(),
            "g": NSString(string: "text"),
        ]
        #expect(
            try await text(.json(numbers))
                == #"{"a":true,"b":1,"c":18446744073709551615,"d":0.5,"e":1.1,"f":null,"g":"text"}"#
        )
    }

    @Test("literals of scripted JSON compile without ambiguity")
    func literals() async throws {
        #expect(try await text(.json(["id": 1, "name": "x", "none": nil])) == #"{"id":1,"name":"x","none":null}"#)
        #expect(try await text(.json(["id": 1])) == #"{"id":1}"#)
        #expect(try await text(.json([1, "x", nil, [:]])) == #"[1,"x",null,{}]"#)
        #expect(try await text(.json([["id": 1, "name": "x"], [:]])) == #"[{"id":1,"name":"x"},{}]"#)
        #expect(try await text(.json([:])) == "{}")
        #expect(try await text(.json([])) == "[]")
        #expect(try await text(.json("x")) == #""x""#)
        #expect(try await text(.json(nil)) == "null")
        let name = "x"
        #expect(try await text(.json(["id": 1, "name": JSONLiteral(name)])) == #"{"id":1,"name":"x"}"#)
        #expect(try await text(.json(["id": 1, "name": name])) == #"{"id":1,"name":"x"}"#)
    }

    @Test("a scripted value that JSON cannot represent fails the request with an error that names the path")
    func notEncodable() async throws {
        struct Photo: Sendable {}
        let user: [String: any Sendable] = ["pets": [["photo": Photo()]] as [[String: any Sendable]]]
        let error = await #expect(throws: ScriptedResponseError.self) { _ = try await text(.json(user)) }
        #expect(error?.reason == .notEncodable(#"Photo in "pets.0.photo""#))
        let number: [String: any Sendable] = ["a": Double.infinity]
        let failure = await #expect(throws: ScriptedResponseError.self) { _ = try await text(.json(number)) }
        #expect(failure?.reason == .notEncodable(#"Double in "a""#))
    }
}
