import Foundation
import Moya
import Testing

@Suite("The function map decodes a response")
struct DecodingTests {
    private struct Item: Decodable, Equatable {
        var name: String?
    }

    private struct User: Decodable, Equatable {
        var fullName: String
        var birth: Date
    }

    private func response(_ body: String) -> Response { Response(statusCode: 200, data: Data(body.utf8)) }

    /// Expects `.objectMapping` with an error of the decoder.
    private func expectObjectMapping<T>(
        from response: Response,
        sourceLocation: SourceLocation = #_sourceLocation,
        _ map: (Response) throws -> T
    ) {
        let error = #expect(throws: MoyaError.self, sourceLocation: sourceLocation) { try map(response) }
        guard case .objectMapping(is DecodingError, let refused) = error else {
            Issue.record("\(String(describing: error))", sourceLocation: sourceLocation)
            return
        }
        #expect(refused === response, sourceLocation: sourceLocation)
    }

    private func expectJSONMapping<T>(
        from response: Response,
        sourceLocation: SourceLocation = #_sourceLocation,
        _ map: (Response) throws -> T
    ) {
        let error = #expect(throws: MoyaError.self, sourceLocation: sourceLocation) { try map(response) }
        #expect(error?.name == "jsonMapping", sourceLocation: sourceLocation)
        #expect(error?.response == response, sourceLocation: sourceLocation)
    }

    private func snakeCaseDecoder() -> JSONDecoder {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        decoder.dateDecodingStrategy = .iso8601
        return decoder
    }

    @Test("map of a response decodes the whole body")
    func whole() throws {
        #expect(try response(#"{"name":"a"}"#).map(Item.self) == Item(name: "a"))
        #expect(try response(#"[{"name":"a"},{}]"#).map([Item].self) == [Item(name: "a"), Item()])
        #expect(try response("3").map(Int.self) == 3)
        #expect(try response(#""a""#).map(String.self) == "a")
        #expect(try response("null").map(Int?.self) == nil)
        let user = try response(#"{"full_name":"a","birth":"1970-01-01T00:01:00Z"}"#)
            .map(User.self, using: snakeCaseDecoder())
        #expect(user == User(fullName: "a", birth: Date(timeIntervalSince1970: 60)))
    }

    @Test(
        "fact 108: every failure of map without a key path is .objectMapping, including invalid JSON",
        arguments: MappingTests.badJSON + ["{}", "[]", "3", #"{"fullName":1,"birth":0}"#, #"{"fullName":"a"}"#, "null"]
    )
    func wholeFailure(body: String) {
        expectObjectMapping(from: response(body)) { try $0.map(User.self) }
        expectObjectMapping(from: response(body)) { try $0.map(User.self, failsOnEmptyData: false) }
    }

    @Test("fact 108: map of empty data and of invalid UTF-8 fails with .objectMapping")
    func wholeEmpty() {
        expectObjectMapping(from: response("")) { try $0.map(Item.self) }
        expectObjectMapping(from: response("")) { try $0.map([Item].self) }
        for bytes in MappingTests.badUTF8 {
            let quoted = Data([UInt8(ascii: "\"")] + bytes + [UInt8(ascii: "\"")])
            expectObjectMapping(from: Response(statusCode: 200, data: quoted)) { try $0.map(String.self) }
        }
    }

    @Test("fact 108: an error that the decoded type throws is in .objectMapping", arguments: [nil, "a"])
    func ownError(keyPath: String?) {
        struct Oops: Error {}
        struct Refusing: Decodable {
            init(from decoder: any Decoder) throws { throw Oops() }
        }
        let error = #expect(throws: MoyaError.self) {
            try response(#"{"a":{}}"#).map(Refusing.self, atKeyPath: keyPath)
        }
        guard case .objectMapping(is Oops, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("fact 109: map of invalid JSON at a key path fails with .jsonMapping", arguments: MappingTests.badJSON)
    func badData(body: String) {
        expectJSONMapping(from: response(body)) { try $0.map(Item.self, atKeyPath: "a") }
        expectJSONMapping(from: response(body)) { try $0.map(Item.self, atKeyPath: "a", failsOnEmptyData: false) }
    }

    @Test("fact 109: map of a missing value at the key path, or of empty data, fails with .jsonMapping")
    func missing() {
        expectJSONMapping(from: response("")) { try $0.map(Item.self, atKeyPath: "a") }
        expectJSONMapping(from: response("{}")) { try $0.map(Item.self, atKeyPath: "a") }
        expectJSONMapping(from: response(#"{"a":{}}"#)) { try $0.map(Item.self, atKeyPath: "a.b") }
        expectJSONMapping(from: response(#"{"a":{}}"#)) { try $0.map(Int?.self, atKeyPath: "a.b") }
    }

    @Test("fact 109: map decodes the whole body if the key path has no value and empty data is allowed")
    func fallback() throws {
        func map<T: Decodable>(_ type: T.Type, _ body: String) throws -> T {
            try response(body).map(type, atKeyPath: "a.b", failsOnEmptyData: false)
        }
        #expect(try map(Item.self, #"{"name":"whole"}"#) == Item(name: "whole"))
        #expect(try map(Item.self, #"{"name":"whole","a":{}}"#) == Item(name: "whole"))
        #expect(try map(Int.self, "3") == 3)
        #expect(try map(Item.self, #"{"name":"whole","a":{"b":{"name":"part"}}}"#) == Item(name: "part"))
        expectObjectMapping(from: response(#"{"name":1}"#)) {
            try $0.map(Item.self, atKeyPath: "a", failsOnEmptyData: false)
        }
        // Null counts as a value.
        expectObjectMapping(from: response(#"{"name":"whole","a":null}"#)) {
            try $0.map(Item.self, atKeyPath: "a", failsOnEmptyData: false)
        }
    }

    @Test("fact 110: map decodes objects and arrays at a key path")
    func containers() throws {
        #expect(try response(#"{"a":{"name":"x"}}"#).map(Item.self, atKeyPath: "a") == Item(name: "x"))
        let items = try response(#"{"a":[{"name":"x"},{}]}"#).map([Item].self, atKeyPath: "a")
        #expect(items == [Item(name: "x"), Item()])
        #expect(try response(#"{"a":[1,2]}"#).map([Int].self, atKeyPath: "a") == [1, 2])
        #expect(try response(#"{"a":[true,false]}"#).map([Bool].self, atKeyPath: "a") == [true, false])
        #expect(try response(#"{"a":[1,null]}"#).map([Int?].self, atKeyPath: "a") == [1, nil])
        #expect(try response(#"{"a":[]}"#).map([String].self, atKeyPath: "a") == [])
        #expect(try response(#"{"a":{"b":[[1],[]]}}"#).map([[Int]].self, atKeyPath: "a.b") == [[1], []])
        #expect(try response(#"{"a":{"b":1}}"#).map([String: Int].self, atKeyPath: "a") == ["b": 1])
        #expect(try response(#"{"a":[{"b":"x"},{"b":"y"}]}"#).map([String].self, atKeyPath: "a.b") == ["x", "y"])
    }

    @Test("fact 110: map decodes scalars at a key path")
    func scalars() throws {
        #expect(try response(#"{"a":-3}"#).map(Int.self, atKeyPath: "a") == -3)
        #expect(try response(#"{"a":1}"#).map(Double.self, atKeyPath: "a") == 1)
        #expect(try response(#"{"a":0.1}"#).map(Double.self, atKeyPath: "a") == 0.1)
        #expect(try response(#"{"a":true}"#).map(Bool.self, atKeyPath: "a"))
        #expect(try response(#"{"a":false}"#).map(Bool.self, atKeyPath: "a") == false)
        #expect(try response(#"{"a":"é\n\"/"}"#).map(String.self, atKeyPath: "a") == "é\n\"/")
        let url = URL(string: "http://h/p?q=1#f")
        #expect(try response(#"{"a":"http://h/p?q=1#f"}"#).map(URL.self, atKeyPath: "a") == url)
        #expect(try response(#"{"a":"aGk="}"#).map(Data.self, atKeyPath: "a") == Data("hi".utf8))
        let uuid = "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"
        #expect(try response("{\"a\":\"\(uuid)\"}").map(UUID.self, atKeyPath: "a").uuidString == uuid)
        let date = try response(#"{"a":60.5}"#).map(Date.self, atKeyPath: "a")
        #expect(date == Date(timeIntervalSinceReferenceDate: 60.5))
    }

    @Test("fact 110: map decodes optionals at a key path, and null causes .objectMapping for other types")
    func null() throws {
        #expect(try response(#"{"a":null}"#).map(Int?.self, atKeyPath: "a") == nil)
        #expect(try response(#"{"a":3}"#).map(Int?.self, atKeyPath: "a") == 3)
        #expect(try response(#"{"a":null}"#).map(Item?.self, atKeyPath: "a") == nil)
        #expect(try response(#"{"a":{"name":"x"}}"#).map(Item?.self, atKeyPath: "a") == Item(name: "x"))
        #expect(try response(#"{"a":null}"#).map([Int]?.self, atKeyPath: "a") == nil)
        expectObjectMapping(from: response(#"{"a":null}"#)) { try $0.map(Int.self, atKeyPath: "a") }
        expectObjectMapping(from: response(#"{"a":null}"#)) { try $0.map(String.self, atKeyPath: "a") }
        expectObjectMapping(from: response(#"{"a":null}"#)) { try $0.map([Int].self, atKeyPath: "a") }
        expectObjectMapping(from: response(#"{"a":null}"#)) { try $0.map(Item.self, atKeyPath: "a") }
        expectObjectMapping(from: response(#"{"a":[1,null]}"#)) { try $0.map([Int].self, atKeyPath: "a") }
    }

    @Test("fact 111: map casts no value to another type", arguments: [nil, "a"])
    func noLooseCasts(keyPath: String?) {
        func refuses<T: Decodable>(_ type: T.Type, _ json: String, sourceLocation: SourceLocation = #_sourceLocation) {
            let body = response(keyPath == nil ? json : "{\"a\":\(json)}")
            expectObjectMapping(from: body, sourceLocation: sourceLocation) { try $0.map(type, atKeyPath: keyPath) }
        }
        refuses(Bool.self, "1")
        refuses(Bool.self, "0")
        refuses(Bool.self, #""true""#)
        refuses(Int.self, #""123""#)
        refuses(Int.self, "true")
        refuses(Int.self, "1.5")
        refuses(Double.self, "false")
        refuses(Double.self, #""1.5""#)
        refuses(String.self, "123")
        refuses(String.self, "true")
        refuses(String.self, #"["1"]"#)
        refuses([String].self, #""123""#)
        refuses([Int].self, "1")
        refuses([Int].self, #"["1"]"#)
        refuses([Bool].self, "[1]")
        refuses(Item.self, "[]")
        refuses([Item].self, "{}")
    }

    @Test("fact 112: map decodes allowed empty data as {}, then as [{}]", arguments: [nil, "a", "a.b"])
    func emptyData(keyPath: String?) throws {
        func map<T: Decodable>(_ type: T.Type) throws -> T {
            try response("").map(type, atKeyPath: keyPath, failsOnEmptyData: false)
        }
        #expect(try map(Item.self) == Item())
        #expect(try map([Item].self) == [Item()])
        #expect(try map([String: Int].self) == [:])
        #expect(try map([[String: Int]].self) == [[:]])
        for refuse in [{ _ = try map(User.self) }, { _ = try map([User].self) }, { _ = try map(Int.self) }] {
            let error = #expect(throws: MoyaError.self) { try refuse() }
            guard case .objectMapping(is DecodingError, _) = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
    }
}
