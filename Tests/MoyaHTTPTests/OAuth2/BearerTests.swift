import TestSupport
import Testing

@testable import MoyaHTTP

@Suite("Bearer tokens and challenges are checked and parsed")
struct BearerTests {
    @Test(
        "RFC 6750, section 2.1: a bearer token is a b64token",
        arguments: [
            ("mF_9.B5f-4.1JqM", true), ("a", true), ("abcXYZ019-._~+/", true), ("a=", true), ("a==", true),
            ("", false), ("=", false), ("a=b", false), ("a b", false), ("a\r\nX: y", false), ("a\u{0}", false),
            ("a,b", false), ("a\"", false), ("é", false), ("a|b", false), (" a", false), ("a ", false),
        ]
    )
    func token(text: String, isToken: Bool) { #expect(text.isBearerToken == isToken) }

    struct Row: Sendable, CustomTestStringConvertible {
        let rule: String
        let values: [String]
        let error: String?

        init(_ rule: String, _ values: String..., error: String?) {
            self.rule = rule
            self.values = values
            self.error = error
        }

        var testDescription: String { "\(rule): \(values)" }
    }

    static let challenges: [Row] = [
        Row("no header", error: nil),
        Row("RFC 6750, section 3", "Bearer realm=\"example\"", error: nil),
        Row(
            "RFC 6750, section 3",
            "Bearer realm=\"example\", error=\"invalid_token\", error_description=\"The access token expired\"",
            error: "invalid_token"
        ),
        Row("RFC 6750, section 3: a quoted value", "Bearer error=\"insufficient_scope\"", error: "insufficient_scope"),
        Row("RFC 9110, section 11.2: a token as value", "Bearer error=invalid_token", error: "invalid_token"),
        Row("RFC 9110, section 11.2: space around =", "Bearer error = \"invalid_token\"", error: "invalid_token"),
        Row("RFC 9110, section 11.2: in any case", "bEARER ERROR=\"invalid_token\"", error: "invalid_token"),
        Row("RFC 9110, section 5.6.4: escapes", "Bearer error=\"invalid\\_token\"", error: "invalid_token"),
        Row("a parameter of a longer name", "Bearer error_description=\"a\", error_uri=\"b\"", error: nil),
        Row(
            "a comma and a quote in quotes",
            "Bearer realm=\"a, error=\\\"b\\\", c\", error=invalid_token",
            error: "invalid_token"
        ),
        Row("another scheme's parameter", "Digest error=\"invalid_token\", realm=\"a\"", error: nil),
        Row("RFC 9110, section 11.6.1: several", "Basic realm=\"a\", Bearer error=x", error: "x"),
        Row("RFC 9110, section 11.6.1: several", "Bearer realm=\"a\", Basic error=x", error: nil),
        Row("RFC 9110, section 11.6.1: a bare scheme", "Negotiate, Bearer, error=x", error: "x"),
        Row("RFC 9110, section 11.2: token68", "Negotiate YWJj==, Bearer error=x", error: "x"),
        Row("several headers", "Basic realm=\"a\"", "Bearer realm=\"a\"", "Bearer error=x", error: "x"),
        Row("RFC 9110, section 5.6.1: empty elements", ", ,Bearer error=x,,", error: "x"),
        Row("an open quote", "Bearer error=\"invalid_token", error: nil),
        Row("an escape at the end", "Bearer error=\"x\\", error: nil),
        Row("a missing value", "Bearer error=", error: nil),
        Row("invalid text", "=,=\"\",,\\\"Bearer error=x", error: nil),
        Row("an empty header", "", error: nil),
        Row("a scheme with a longer name", "BearerX error=x", error: nil),
    ]

    @Test("the error of a Bearer challenge is found among other challenges", arguments: challenges)
    func challenge(row: Row) { #expect(BearerChallenge(row.values).error == row.error) }

    @Test("random text of a challenge is parsed without a crash")
    func random() {
        var random = SeededGenerator(seed: 20_260)
        let pieces = ["Bearer", " ", "error", "=", "\"", "\\", ",", "invalid_token", "é", "\t", "\u{301}"]
        for _ in 0..<5_000 {
            let count = Int.random(in: 0..<20, using: &random)
            let text = (0..<count).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
            _ = BearerChallenge([text])
        }
    }
}
