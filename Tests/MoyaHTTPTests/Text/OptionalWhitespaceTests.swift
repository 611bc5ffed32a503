import MoyaHTTP
import Testing

@Suite("Optional whitespace around a field's value is removed")
struct OptionalWhitespaceTests {
    @Test(
        "spaces and tabs around a field's value are removed at both ends only (RFC 9110, section 5.6.3)",
        arguments: [
            ("", ""), (" ", ""), (" \t \t", ""), ("a", "a"), (" a", "a"), ("a\t", "a"), ("\t a b\tc  ", "a b\tc"),
            ("\na\n", "\na\n"), (" \r\n ", "\r\n"), ("\u{A0}a", "\u{A0}a"), (" \u{301}é ", "\u{301}é"),
            ("application/json; é", "application/json; é"), ("\tapplication/json; é  ", "application/json; é"),
        ]
    )
    func trimmed(text: String, expected: String) {
        #expect(Array(text.withoutOptionalWhitespace.unicodeScalars) == Array(expected.unicodeScalars))
        #expect(Substring(text).withoutOptionalWhitespace == text.withoutOptionalWhitespace)
    }
}
