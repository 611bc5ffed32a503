import MoyaGenerator
import Testing

@Suite("YAML is read as its core schema says, with the positions of its values")
struct YAMLTextTests {
    @Test(
        "plain scalars have types, and quoted ones are strings",
        arguments: [
            ("a: yes", "{a:\"yes\"}"), ("a: no", "{a:\"no\"}"), ("a: true", "{a:true}"), ("a: 'true'", "{a:\"true\"}"),
            ("a: 2026-01-31", "{a:\"2026-01-31\"}"), ("a: 1.0", "{a:1.0}"), ("a: +1", "{a:1}"),
            ("a: 1.2.3", "{a:\"1.2.3\"}"),
            ("a:", "{a:null}"), ("a: ~", "{a:null}"), ("200: ok", "{200:\"ok\"}"), ("a: 0x1F", "{a:31}"),
            ("a: .5", "{a:0.5}"),
            ("- 1\n- [x, y]", "[1,[\"x\",\"y\"]]"), ("a: |\n  x\n  y\n", "{a:\"x\ny\n\"}"), ("a: 1e400", "{a:1e400}"),
            ("a: .inf", "{a:\".inf\"}"),
        ]
    )
    func values(text: String, expected: String) throws {
        #expect(plain(try YAMLText.parse(Array(text.utf8))) == expected)
    }

    @Test("anchors are repeated, and merged members do not replace others")
    func anchors() throws {
        let text = "base: &base {a: 1, b: 2}\nother:\n  <<: *base\n  b: 3\nsame: *base\n"
        #expect(plain(try YAMLText.parse(Array(text.utf8))) == "{base:{a:1,b:2},other:{b:3,a:1},same:{a:1,b:2}}")
    }

    @Test("a value has its line and its column")
    func positions() throws {
        let node = try YAMLText.parse(Array("a:\n  b: 1\n".utf8))
        #expect(node["a"]?["b"]?.position == Node.Position(line: 2, column: 6))
    }

    @Test(
        "a mistake has a message with its place",
        arguments: [
            ("a: [1", 2, "did not find expected"), ("a: 1\na: 2", 1, "The name \"a\" is repeated"),
            ("a: *b", 1, "undefined alias"), ("a: b: c", 1, "mapping values are not allowed"),
        ]
    )
    func mistakes(text: String, line: Int, message: String) {
        #expect {
            try YAMLText.parse(Array(text.utf8))
        } throws: { error in
            guard let error = error as? TextError else { return false }
            return error.message.contains(message) && error.position.line == line
        }
    }

    @Test("aliases that repeat a value without limit, and deep nesting, are errors")
    func limits() {
        var text = "a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n"
        for level in 1...9 {
            text += "a\(level): &a\(level) [\(Array(repeating: "*a\(level - 1)", count: 10).joined(separator: ", "))]\n"
        }
        #expect(throws: TextError.self) { try YAMLText.parse(Array(text.utf8)) }
        let deep = String(repeating: "[", count: 900) + String(repeating: "]", count: 900)
        #expect(throws: TextError.self) { try YAMLText.parse(Array(deep.utf8)) }
    }
}
