import Foundation
import Moya
import Testing

@Suite("A response is mapped to JSON and text")
struct MappingTests {
    /// Texts that are invalid JSON for both values of `failsOnEmptyData`.
    static let badJSON = [
        " ", "{", "}", "[1,", "[1 2]", "{'a':1}", #"{"a" 1}"#, #"{"a":}"#, "{a:1}", "nul", "tru", "01", "1 2", "+1",
        ".5", "0x1F", "NaN", "Infinity", "text", #""open"#, #""\x""#, #""\u12""#, "<html></html>",
    ]

    static let badUTF8: [[UInt8]] = [
        [0xFF], [0x61, 0xFE, 0x62], [0x80], [0xC0, 0x80], [0xE2, 0x82], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80],
    ]

    private func response(_ body: String) -> Response { Response(statusCode: 200, data: Data(body.utf8)) }

    private func expect<T>(
        _ name: String,
        from response: Response,
        sourceLocation: SourceLocation = #_sourceLocation,
        _ map: (Response) throws -> T
    ) {
        let error = #expect(throws: MoyaError.self, sourceLocation: sourceLocation) { try map(response) }
        #expect(error?.name == name, sourceLocation: sourceLocation)
        #expect(error?.response == response, sourceLocation: sourceLocation)
    }

    @Test("fact 104: mapJSON returns dictionaries and arrays")
    func containers() throws {
        let json = try response(#" {"a":[1,"two",true,null,{"b":2.5}]} "#).mapJSON()
        let dictionary = try #require(json as? [String: Any])
        let array = try #require(dictionary["a"] as? [Any])
        #expect(array.count == 5)
        #expect(array[0] as? Int == 1)
        #expect(array[1] as? String == "two")
        #expect(array[2] as? Bool == true)
        #expect(array[3] is NSNull)
        #expect((array[4] as? [String: Any])?["b"] as? Double == 2.5)
        #expect((try response("[]").mapJSON() as? [Any])?.isEmpty == true)
        #expect((try response("{}").mapJSON() as? [String: Any])?.isEmpty == true)
    }

    @Test("fact 104: mapJSON accepts a single value")
    func fragments() throws {
        #expect(try response("3").mapJSON() as? Int == 3)
        #expect(try response(" -0.5\n").mapJSON() as? Double == -0.5)
        #expect(try response("true").mapJSON() as? Bool == true)
        #expect(try response(#""text""#).mapJSON() as? String == "text")
        #expect(try response("null").mapJSON() is NSNull)
    }

    @Test(
        "fact 104: mapJSON of invalid data fails with .jsonMapping, even if empty data is allowed",
        arguments: badJSON
    )
    func badData(body: String) {
        expect("jsonMapping", from: response(body)) { try $0.mapJSON() }
        expect("jsonMapping", from: response(body)) { try $0.mapJSON(failsOnEmptyData: false) }
    }

    @Test("fact 104: mapJSON of a control character in a string fails with .jsonMapping (RFC 8259, section 7)")
    func controlCharacter() {
        for character in ["\u{0}", "\u{1}", "\n", "\u{1F}"] {
            expect("jsonMapping", from: response("\"\(character)\"")) { try $0.mapJSON() }
        }
    }

    @Test("fact 104: mapJSON of invalid UTF-8 fails with .jsonMapping", arguments: badUTF8)
    func badBytes(bytes: [UInt8]) {
        let body = Response(statusCode: 200, data: Data([UInt8(ascii: "\"")] + bytes + [UInt8(ascii: "\"")]))
        expect("jsonMapping", from: body) { try $0.mapJSON() }
    }

    @Test("fact 104: mapJSON of empty data fails with .jsonMapping, or returns NSNull if empty data is allowed")
    func emptyData() throws {
        expect("jsonMapping", from: response("")) { try $0.mapJSON() }
        expect("jsonMapping", from: response("")) { try $0.mapJSON(failsOnEmptyData: true) }
        #expect(try response("").mapJSON(failsOnEmptyData: false) is NSNull)
    }

    @Test("fact 105: mapString returns the text of a response", arguments: ["", "a", " ", "äöü€😀", "{\"a\":1}"])
    func text(text: String) throws {
        #expect(try response(text).mapString() == text)
        #expect(try response(text + "\r\n\u{0}").mapString() == text + "\r\n\u{0}")
    }

    @Test("fact 105: mapString of invalid UTF-8 fails with .stringMapping", arguments: badUTF8)
    func noText(bytes: [UInt8]) {
        expect("stringMapping", from: Response(statusCode: 200, data: Data(bytes))) { try $0.mapString() }
    }

    @Test(
        "fact 106: mapString with a key path returns the text at the path",
        arguments: [
            (#"{"a":"text"}"#, "a", "text"),
            (#"{"a":""}"#, "a", ""),
            (#"{"a":{"b":{"c":"deep"}}}"#, "a.b.c", "deep"),
            (#"{"a":"123"}"#, "a", "123"),
            (#"{"a":"http:\/\/h\/p\u00e9\n"}"#, "a", "http://h/pé\n"),
            (#"{"":"nameless"}"#, "", "nameless"),
        ]
    )
    func textAtKeyPath(body: String, keyPath: String, expected: String) throws {
        #expect(try response(body).mapString(atKeyPath: keyPath) == expected)
    }

    @Test("fact 106: mapString of invalid JSON at a key path fails with .jsonMapping", arguments: badJSON + [""])
    func textInBadData(body: String) {
        expect("jsonMapping", from: response(body)) { try $0.mapString(atKeyPath: "a") }
    }

    @Test(
        "fact 106: mapString of JSON without an object, or without a text at the key path, fails with .stringMapping",
        arguments: [
            ("3", "a"), (#""a""#, "a"), ("null", "a"), ("true", "a"), ("[]", "a"), (#"["a"]"#, "a"),
            (#"[{"a":"text"}]"#, "a"), ("{}", "a"), (#"{"b":"text"}"#, "a"), (#"{"a":{"b":"text"}}"#, "a.c"),
            (#"{"a":1}"#, "a"), (#"{"a":true}"#, "a"), (#"{"a":null}"#, "a"), (#"{"a":{"b":"text"}}"#, "a"),
            (#"{"a":["text"]}"#, "a"), (#"{"a":"text"}"#, "a.b"), (#"{"a":"text"}"#, ""), (#"{"a.b":"text"}"#, "a.b"),
        ]
    )
    func noTextAtKeyPath(body: String, keyPath: String) {
        expect("stringMapping", from: response(body)) { try $0.mapString(atKeyPath: keyPath) }
    }

    @Test("a byte order mark before JSON in a response is skipped (RFC 8259, section 8.1)")
    func byteOrderMark() throws {
        let marked = response("\u{FEFF}{\"a\":\"text\"}")
        #expect(marked.data.starts(with: [0xEF, 0xBB, 0xBF]))
        #expect((try marked.mapJSON() as? [String: Any])?["a"] as? String == "text")
        #expect(try marked.mapString(atKeyPath: "a") == "text")
        #expect(try marked.map([String: String].self) == ["a": "text"])
        #expect(try marked.map(String.self, atKeyPath: "a") == "text")
    }

    @Test("a response whose data does not begin at index 0 is mapped to JSON and text")
    func slice() throws {
        let slice = Data(#"xx{"a":"text"}"#.utf8).dropFirst(2)
        let response = Response(statusCode: 200, data: slice)
        #expect(response.description == "Status Code: 200, Data Length: 12")
        #expect(try response.mapString() == #"{"a":"text"}"#)
        #expect(try response.mapString(atKeyPath: "a") == "text")
        #expect(try response.map([String: String].self) == ["a": "text"])
        #expect((try response.mapJSON() as? [String: Any])?["a"] as? String == "text")
    }

    @Test(
        "excessively nested JSON in a response fails and does not crash the process",
        arguments: [
            String(repeating: "[", count: 10_000),
            String(repeating: "[", count: 10_000) + String(repeating: "]", count: 10_000),
            String(repeating: #"{"a":"#, count: 10_000),
            String(repeating: #"{"a":"#, count: 10_000) + "1" + String(repeating: "}", count: 10_000),
            String(repeating: "[", count: 1_000_000),
        ].map { Response(statusCode: 200, data: Data($0.utf8)) }
    )
    func deepNesting(response: Response) {
        let keyPath = Array(repeating: "a", count: 10_000).joined(separator: ".")
        expect("jsonMapping", from: response) { try $0.mapJSON() }
        expect("objectMapping", from: response) { try $0.map([String: Int].self) }
        for keyPath in ["a", keyPath] {
            expect("jsonMapping", from: response) { try $0.mapString(atKeyPath: keyPath) }
            expect("jsonMapping", from: response) { try $0.map([String: Int].self, atKeyPath: keyPath) }
        }
    }

    @Test("deeply nested JSON in a response can be traversed within the limit")
    func nesting() throws {
        let depth = 500
        let keyPath = Array(repeating: "a", count: depth).joined(separator: ".")
        let objects = response(String(repeating: #"{"a":"#, count: depth) + "1" + String(repeating: "}", count: depth))
        #expect(try objects.map(Int.self, atKeyPath: keyPath) == 1)
        expect("jsonMapping", from: objects) { try $0.map(Int.self, atKeyPath: keyPath + ".a") }
        let arrays = response(
            String(repeating: "[", count: depth) + #"{"a":"x"}"# + String(repeating: "]", count: depth)
        )
        expect("stringMapping", from: arrays) { try $0.mapString(atKeyPath: "a") }
        #expect(try arrays.mapJSON() is [Any])
    }
}
