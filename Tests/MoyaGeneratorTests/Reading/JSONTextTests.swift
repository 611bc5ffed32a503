import MoyaGenerator
import Testing

@Suite("JSON is read with the positions of its values")
struct JSONTextTests {
    @Test(
        "values have their kinds, and escapes are decoded",
        arguments: [
            ("null", "null"), ("true", "true"), (" -1.5e3 ", "-1.5e3"), ("\"a\\n\\u00e9\\ud83d\\ude00\"", "\"a\né😀\""),
            ("[1, [], {}]", "[1,[],{}]"), ("{\"b\": 1, \"a\": {\"c\": false}}", "{b:1,a:{c:false}}"),
        ]
    )
    func values(text: String, expected: String) throws {
        #expect(plain(try JSONText.parse(Array(text.utf8))) == expected)
    }

    @Test("a value has its line and its column, from 1, in bytes")
    func positions() throws {
        let node = try JSONText.parse(Array("{\n  \"é\": 1, \"b\": [\n    true]\n}".utf8))
        #expect(node.position == Node.Position(line: 1, column: 1))
        #expect(node["é"]?.position == Node.Position(line: 2, column: 9))
        #expect(node["b"]?.elements?.first?.position == Node.Position(line: 3, column: 5))
        #expect(node.members?["b"]?.keyPosition == Node.Position(line: 2, column: 12))
    }

    @Test(
        "a mistake has a message with its place",
        arguments: [
            ("", 1, 1, "The text ends where a value is expected."),
            ("[1", 1, 3, "The text ends where a comma or a closing bracket is expected."),
            ("[1 2]", 1, 4, "Expected: a comma or a closing bracket."),
            ("{\"a\" 1}", 1, 6, "A colon is expected after a name."),
            ("{a: 1}", 1, 2, "A name in quotes is expected."), ("[1,]", 1, 4, "A value is expected."),
            ("{\"a\": 1,\n \"a\": 2}", 2, 2, "The name \"a\" is repeated in the object."),
            ("01", 1, 2, "The text continues after its value."),
            ("\"a", 1, 3, "The text ends in a string."), ("\"\\x\"", 1, 4, "The escape is invalid."),
            ("1.", 1, 3, "A digit is expected."),
            ("\"\\u12\"", 1, 4, "Four hexadecimal digits are expected."), ("tru", 1, 1, "A value is expected."),
            ("\"\n\"", 1, 2, "A control character in a string must be escaped."),
        ]
    )
    func mistakes(text: String, line: Int, column: Int, message: String) {
        #expect(throws: TextError(message, at: Node.Position(line: line, column: column))) {
            try JSONText.parse(Array(text.utf8))
        }
    }

    @Test("very deep nesting is an error", arguments: ["[", "{\"a\":"])
    func depth(opening: String) {
        let text = String(repeating: opening, count: 100_000)
        #expect(throws: TextError.self) { try JSONText.parse(Array(text.utf8)) }
    }
}

/// Returns a short text for a value.
func plain(_ node: Node) -> String {
    switch node.value {
    case .null: "null"
    case .bool(let flag): "\(flag)"
    case .number(let text): text
    case .string(let text): "\"\(text)\""
    case .array(let nodes): "[\(nodes.map(plain).joined(separator: ","))]"
    case .object(let members): "{\(members.all.map { "\($0.key):\(plain($0.value))" }.joined(separator: ","))}"
    }
}
