import MoyaHTTP
import Testing

@Suite("Challenges are parsed from headers")
struct ChallengeParserTests {
    struct Row: CustomTestStringConvertible {
        let rule: String
        let values: [String]
        /// Each challenge as `scheme [token68] name=value|name=value`.
        let challenges: [String]

        var testDescription: String { rule }

        init(_ rule: String, _ values: [String], _ challenges: [String]) {
            (self.rule, self.values, self.challenges) = (rule, values, challenges)
        }
    }

    static let wellFormedRows: [Row] = [
        Row("RFC 9110, 11.3: a scheme alone", ["Negotiate"], ["Negotiate"]),
        Row("RFC 9110, 11.3: a scheme and a parameter", ["Basic realm=\"files\""], ["Basic realm=files"]),
        Row("RFC 9110, 11.3: several spaces after the scheme", ["Basic   realm=x"], ["Basic realm=x"]),
        Row("RFC 9110, 11.2: a value is a token or a quoted string", ["A b=c, d=\"e f\""], ["A b=c|d=e f"]),
        Row("RFC 9110, 11.2: token68", ["NTLM TlRM"], ["NTLM [TlRM]"]),
        Row("RFC 9110, 11.2: token68 with padding", ["NTLM TlR==, A"], ["NTLM [TlR==]", "A"]),
        Row("RFC 9110, 11.2: token68 has - . _ ~ + /", ["A aZ09-._~+/="], ["A [aZ09-._~+/=]"]),
        Row("RFC 9110, 11.2: text that ends with = is token68 and no parameter", ["A b="], ["A [b=]"]),
        Row("RFC 9110, 11.2: text that continues after = is a parameter", ["A b=c="], ["A b=c="]),
        Row(
            "RFC 9110, 11.6.1: its example, two challenges in one value",
            ["Basic realm=\"simple\", Newauth realm=\"apps\", type=1, title=\"Login to \\\"apps\\\"\""],
            ["Basic realm=simple", "Newauth realm=apps|type=1|title=Login to \"apps\""]
        ),
        Row("RFC 9110, 11.6.1: two lines", ["Basic realm=a", "Digest realm=b"], ["Basic realm=a", "Digest realm=b"]),
        Row("RFC 9110, 11.6.1: a parameter belongs to the scheme before it", ["A, B c=d"], ["A", "B c=d"]),
        Row("RFC 9110, 11.6.1: a scheme alone between two", ["A b=c, D, E f=g"], ["A b=c", "D", "E f=g"]),
        Row("RFC 9110, 5.3: a challenge does not go on in the next line", ["A", "b=c"], ["A"]),
        Row("RFC 9110, 5.6.1.2: empty elements of a list", [",, ,A b=c,,\t, d=e, ,B,"], ["A b=c|d=e", "B"]),
        Row("RFC 9110, 5.6.1.2: an empty element before the first parameter", ["A , b=c"], ["A b=c"]),
        Row("RFC 9110, 5.6.3: tabs are space", ["A\tb=c\t,\td=e"], ["A b=c|d=e"]),
        Row("RFC 9110, 5.6.3: space around =", ["A b = c, d\t=\t\"e\""], ["A b=c|d=e"]),
        Row("RFC 9110, 5.6.3: space around = of the first of a list", ["A b =c , D e= f"], ["A b=c", "D e=f"]),
        Row("RFC 9110, 5.6.4: escapes", ["A b=\"\\a\\\\\\\"\\,\""], ["A b=a\\\","]),
        Row("RFC 9110, 5.6.4: commas, = and schemes between quotes", ["A b=\"c, D e=f\""], ["A b=c, D e=f"]),
        Row("RFC 9110, 5.6.4: an empty quoted string", ["A b=\"\""], ["A b="]),
        Row("RFC 9110, 5.6.4: text that is not ASCII", ["A b=\"für\""], ["A b=für"]),
        Row("RFC 9110, 5.6.2: all characters of a token", ["A!#$%&'*+-.^_`|~ 1=2"], ["A!#$%&'*+-.^_`|~ 1=2"]),
        Row("RFC 9110, 11.2: a parameter that comes twice", ["A b=c, B=d"], ["A b=c|B=d"]),
        Row("a parameter that comes twice, differently", ["A b=c, b=\"d\", b=e"], ["A b=c|b=d|b=e"]),
        Row("no header", [], []),
        Row("an empty header", [""], []),
        Row("a header of space and commas", [" ,\t, "], []),
    ]

    static let malformedRows: [Row] = [
        Row(
            "a value that is neither token nor quoted runs up to the comma",
            ["A n=a/b==, r=My files , c=d"],
            [
                "A n=a/b==|r=My files|c=d"
            ]
        ),
        Row("a comma between parameters is missing", ["A b=\"c\" d=\"e\""], ["A b=c|d=e"]),
        Row("rubbish behind a quoted string is passed over", ["A b=\"c\"x, d=e"], ["A b=c|d=e"]),
        Row("a scheme without a comma before it is no scheme", ["A b=\"c\" D e=\"f\", g=h"], ["A b=c|g=h"]),
        Row("a parameter before any scheme is dropped", ["b=c, A d=e"], ["A d=e"]),
        Row("an element that begins with no token", ["@x, A b=c"], ["A b=c"]),
        Row("an element of rubbish between parameters", ["A b=c, @\"x,y\"z, d=e"], ["A b=c|d=e"]),
        Row("a quoted string in place of an element", ["A b=c, \"x, y=z\", d=e"], ["A b=c|d=e"]),
        Row("a quoted string without end is dropped", ["A b=c, d=\"e, f=g"], ["A b=c"]),
        Row("a quoted string that ends with a backslash is dropped", ["A b=c, d=\"e\\"], ["A b=c"]),
        Row("a scheme with rubbish stuck to it is dropped", ["A@b c=d"], []),
        Row("token68 with rubbish behind it", ["A b== c, D"], ["A b== c", "D"]),
        Row("a control character in a value drops it", ["A b=\"c\r\nX: y\", d=e, f=\"\u{7F}\""], ["A d=e"]),
        Row("NUL in a token ends it", ["A b\0=c, d=e"], ["A d=e"]),
        Row("= alone", ["=", "A, =, b=c"], ["A b=c"]),
        Row("an empty value in the middle", ["A b=c, d=, e=f"], ["A b=c|d=|e=f"]),
    ]

    @Test("well-formed challenges are parsed", arguments: Self.wellFormedRows)
    func wellFormed(row: Row) {
        #expect(ChallengeParser.challenges(in: row.values).map(text) == row.challenges)
    }

    @Test(
        "malformed parts of a challenge header are skipped, and the other parts are parsed",
        arguments: Self.malformedRows
    )
    func malformed(row: Row) {
        #expect(ChallengeParser.challenges(in: row.values).map(text) == row.challenges)
    }

    @Test("names of challenge schemes and parameters are compared ignoring case")
    func cases() throws {
        let challenge = try #require(ChallengeParser.challenges(in: ["bAsIc ReAlM=\"X\", b=c"]).first)
        #expect(challenge.scheme == "bAsIc")
        #expect(challenge.isScheme("Basic"))
        #expect(!challenge.isScheme("Digest"))
        #expect(challenge.realm == "X")
        #expect(challenge["B"] == "c")
        #expect(challenge["d"] == nil)
        let same = AuthenticationChallenge(
            scheme: "BASIC",
            parameters: [.init(name: "realm", value: "X"), .init(name: "B", value: "c")]
        )
        #expect(challenge == same)
        #expect(challenge != AuthenticationChallenge(scheme: "BASIC", parameters: [.init(name: "realm", value: "x")]))
    }

    @Test("the first of duplicate parameters of a challenge is used")
    func twice() {
        #expect(ChallengeParser.challenges(in: ["A b=c, B=d"]).first?["b"] == "c")
    }

    @Test("a challenge header without schemes has parameters, and invalid parts are skipped")
    func parameters() {
        let parameters = ChallengeParser.parameters(in: ["a=b, rubbish, \"x\", c=\"d, e\", f", "g = h"])
        #expect(parameters.map { "\($0.name)=\($0.value)" } == ["a=b", "c=d, e", "g=h"])
        #expect(ChallengeParser.parameters(in: []).isEmpty)
    }

    @Test("only the first challenges of a header are parsed if there are too many")
    func manyChallenges() {
        let limit = ChallengeParser.maximumChallenges
        let schemes = (0..<limit * 2).map { "S\($0)" }
        let oneLine = ChallengeParser.challenges(in: [schemes.joined(separator: ", ")])
        #expect(oneLine.map(\.scheme) == Array(schemes.prefix(limit)))
        #expect(ChallengeParser.challenges(in: schemes).map(\.scheme) == Array(schemes.prefix(limit)))
    }

    @Test("only the first parameters of a challenge are parsed if there are too many, and the next challenge is parsed")
    func manyParameters() {
        let limit = ChallengeParser.maximumParameters
        let parameters = (0..<limit * 2).map { "p\($0)=\($0)" }.joined(separator: ", ")
        let challenges = ChallengeParser.challenges(in: ["A \(parameters), B c=d"])
        #expect(challenges.map(\.scheme) == ["A", "B"])
        #expect(challenges.first?.parameters.count == limit)
        #expect(challenges.last?["c"] == "d")
        #expect(ChallengeParser.parameters(in: [parameters, parameters]).count == limit)
    }

    @Test("bytes beyond the maximum length of a challenge header are ignored, and truncated parts are dropped")
    func longHeader() {
        let limit = ChallengeParser.maximumLength
        for cut in ["A b=c, d=", "A b=c, d=\""] {
            let value = cut + String(repeating: "x", count: limit)
            #expect(ChallengeParser.challenges(in: [value, "B"]).map(text) == ["A b=c"])
        }
        let start = "A b=c, "
        let scheme = start + String(repeating: "x", count: limit)
        #expect(ChallengeParser.challenges(in: [scheme]).map(text) == ["A b=c"])
        let token = "A b=c, D " + String(repeating: "x", count: limit)
        #expect(ChallengeParser.challenges(in: [token]).map(text) == ["A b=c", "D"])
        let fits = "A b=" + String(repeating: "x", count: limit - 4)
        #expect(ChallengeParser.challenges(in: [fits]).first?["b"]?.count == limit - 4)
    }

    private func text(_ challenge: AuthenticationChallenge) -> String {
        var parts = [challenge.scheme]
        if let token = challenge.token68 { parts.append("[\(token)]") }
        let parameters = challenge.parameters.map { "\($0.name)=\($0.value)" }.joined(separator: "|")
        if !parameters.isEmpty { parts.append(parameters) }
        return parts.joined(separator: " ")
    }
}
