import Foundation
import Moya
import Testing

@Suite("A key path leads to a value in JSON")
struct KeyPathTests {
    /// Any JSON value that can be compared.
    private indirect enum JSON: Decodable, Equatable {
        case null
        case bool(Bool)
        case number(Double)
        case text(String)
        case array([JSON])
        case object([String: JSON])

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if container.decodeNil() {
                self = .null
            } else if let value = try? container.decode(Bool.self) {
                self = .bool(value)
            } else if let value = try? container.decode(Double.self) {
                self = .number(value)
            } else if let value = try? container.decode(String.self) {
                self = .text(value)
            } else if let value = try? container.decode([JSON].self) {
                self = .array(value)
            } else {
                self = .object(try container.decode([String: JSON].self))
            }
        }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let body: String
        let keyPath: String
        /// The value as JSON; `nil` if the key path has no value.
        let found: String?

        init(_ body: String, _ keyPath: String, _ found: String?) {
            self.body = body
            self.keyPath = keyPath
            self.found = found
        }

        var testDescription: String { "\(keyPath) in \(body)" }
    }

    static let objects: [Row] = [
        Row(#"{"a":1}"#, "a", "1"),
        Row(#"{"a":{"b":{"c":[1,"x",null]}}}"#, "a.b.c", #"[1,"x",null]"#),
        Row(#"{"a":{"b":{"c":1}}}"#, "a.b", #"{"c":1}"#),
        Row(#"{"a":null}"#, "a", "null"),
        Row(#"{"a":false}"#, "a", "false"),
        Row(#"{"a":{}}"#, "a", "{}"),
        Row(#"{"a":{"0":1}}"#, "a.0", "1"),
        Row(#"{"@count":1}"#, "@count", "1"),
        Row(#"{"a b":{"é😀":1}}"#, "a b.é😀", "1"),
        Row(#"{"a":1}"#, "A", nil),
        Row(#"{"a":1}"#, " a", nil),
        Row(#"{"a":{"b":1}}"#, "a.c", nil),
        Row(#"{"a":{"b":1}}"#, "a.b.c", nil),
        Row(#"{"a":null}"#, "a.b", nil),
        Row(#"{"a":"text"}"#, "a.length", nil),
        Row(#"{"a":{"b":1}}"#, "a.@allKeys", nil),
        Row(#"{"a":{"b":1}}"#, "a.@count", nil),
        Row("3", "a", nil),
        Row("null", "a", nil),
        Row(#""a""#, "a", nil),
    ]

    static let arrays: [Row] = [
        Row(#"{"a":[{"b":1},{"b":2}]}"#, "a.b", "[1,2]"),
        Row(#"[{"b":1},{"b":2}]"#, "b", "[1,2]"),
        Row(#"{"a":[{"b":1}]}"#, "a.b", "[1]"),
        Row(#"{"a":[]}"#, "a.b", "[]"),
        Row(#"{"a":[{"b":null},{"b":1}]}"#, "a.b", "[null,1]"),
        Row(#"{"a":[[{"b":1}],[{"b":2},{"b":3}],[]]}"#, "a.b", "[[1],[2,3],[]]"),
        Row(#"{"a":[{"b":[{"c":1},{"c":2}]},{"b":[]}]}"#, "a.b.c", "[[1,2],[]]"),
        Row(#"{"a":[{"b":1},{"c":2}]}"#, "a.b", nil),
        Row(#"{"a":[{},{"b":1}]}"#, "a.b", nil),
        Row(#"{"a":[{"b":1},3]}"#, "a.b", nil),
        Row(#"{"a":[{"b":1},null]}"#, "a.b", nil),
        Row(#"{"a":[{"b":1},[3]]}"#, "a.b", nil),
        Row(#"{"a":[[{"b":1}],[{"c":1}]]}"#, "a.b", nil),
        Row(#"{"a":[{"b":{"c":1}},{"b":null}]}"#, "a.b.c", nil),
        Row(#"{"a":[1,2]}"#, "a.0", nil),
        Row(#"{"a":[1,2]}"#, "a.count", nil),
        Row(#"{"a":[1,2]}"#, "a.@count", nil),
        Row(#"{"a":[{"b":1}]}"#, "a.@sum.b", nil),
    ]

    static let emptyParts: [Row] = [
        Row(#"{"":1}"#, "", "1"),
        Row(#"{"a":1}"#, "", nil),
        Row("{}", "", nil),
        Row(#"{"a":{"":1}}"#, "a.", "1"),
        Row(#"{"a":1}"#, "a.", nil),
        Row(#"{"":{"a":1}}"#, ".a", "1"),
        Row(#"{"a":1}"#, ".a", nil),
        Row(#"{"a":{"":{"b":1}}}"#, "a..b", "1"),
        Row(#"{"a":{"b":1}}"#, "a..b", nil),
        Row(#"{"":{"":1}}"#, ".", "1"),
        Row(#"{"":1}"#, ".", nil),
    ]

    static let dots: [Row] = [
        Row(#"{"a.b":1}"#, "a.b", nil),
        Row(#"{".":1}"#, ".", nil),
        Row(#"{"a.":{"b":1}}"#, "a..b", nil),
        Row(#"{"a.b":1,"a":{"b":2}}"#, "a.b", "2"),
    ]

    private func check(_ row: Row) throws {
        let response = Response(statusCode: 200, data: Data(row.body.utf8))
        if let found = row.found {
            let expected = try JSONDecoder().decode(JSON.self, from: Data(found.utf8))
            #expect(try response.map(JSON.self, atKeyPath: row.keyPath) == expected)
            #expect(try response.map(JSON.self, atKeyPath: row.keyPath, failsOnEmptyData: false) == expected)
        } else {
            let error = #expect(throws: MoyaError.self) { try response.map(JSON.self, atKeyPath: row.keyPath) }
            #expect(error?.name == "jsonMapping")
            #expect(error?.response == response)
        }
    }

    @Test("fact 107: the dots of a key path descend into objects, and a mismatch throws", arguments: objects)
    func object(row: Row) throws { try check(row) }

    @Test("fact 107: the rest of a key path is applied to all elements of an array, or fails", arguments: arrays)
    func array(row: Row) throws { try check(row) }

    @Test("fact 107: an empty component of a key path is the empty name", arguments: emptyParts)
    func emptyPart(row: Row) throws { try check(row) }

    @Test("fact 107: a name that contains a dot is not found by a key path", arguments: dots)
    func dot(row: Row) throws { try check(row) }

    // RFC 8259, section 4, does not determine the value of a duplicate name.
    @Test("a duplicate name on a key path is not an error, and one of its values is used")
    func duplicateNames() throws {
        let response = Response(statusCode: 200, data: Data(#"{"a":1,"a":2,"b":{"c":1,"c":2}}"#.utf8))
        #expect([1, 2].contains((try response.mapJSON() as? [String: Any])?["a"] as? Int))
        #expect([1, 2].contains(try response.map(Int.self, atKeyPath: "a")))
        #expect([["c": 1], ["c": 2]].contains(try response.map([String: Int].self, atKeyPath: "b")))
    }
}
