import Foundation
import TestTraits
import Testing

@testable import MoyaHTTP
@testable import MoyaHTTPCookies

@Suite("Set-Cookie fields are parsed", .ownThread)
struct SetCookieParserTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let rule: String
        let field: String
        let expected: SetCookie

        init(_ rule: String, _ field: String, _ expected: SetCookie) {
            self.rule = rule
            self.field = field
            self.expected = expected
        }

        var testDescription: String { "\(rule): \(field.prefix(80))" }
    }

    /// `n=v` and its attributes.
    private static func cookie(
        _ name: String = "n",
        _ value: String = "v",
        _ change: (inout SetCookie) -> Void = { _ in }
    ) -> SetCookie {
        var cookie = SetCookie(nameText: FieldText(name), valueText: FieldText(value))
        change(&cookie)
        return cookie
    }

    private static let long = String(repeating: "x", count: 1024)

    static let pairRows: [Row] = [
        Row("5.6, 2: no semicolon", "n=v", cookie()),
        Row("5.6, 2: up to the first semicolon", "n=v;w=x", cookie()),
        Row("5.6, 3: up to the first equals sign", "n=v=w", cookie("n", "v=w")),
        Row("5.6, 3: no equals sign", "v", cookie("", "v")),
        Row("5.6, 3: nothing before it", "=v", cookie("", "v")),
        Row("5.6, 3: nothing before it", "=v=w", cookie("", "v=w")),
        Row("5.6, 3: nothing after it", "n=", cookie("n", "")),
        Row("5.6, 4: white space around both", " \tn\t = \tv w\t ; Secure", cookie("n", "v w") { $0.isSecure = true }),
        Row("5.6, 4: white space alone", " ; ", cookie("", "")),
        Row("5.6: quotation marks belong to the value", "n=\"v\"", cookie("n", "\"v\"")),
        Row("5.6: nothing is decoded", "n=%3B%00+", cookie("n", "%3B%00+")),
        Row("5.6: commas belong to the value", "n=v, w=x", cookie("n", "v, w=x")),
        Row("5.6: other bytes stay", "é=\u{1F36A}", cookie("é", "\u{1F36A}")),
        Row("5.6: nothing", "", cookie("", "")),
        Row("5.6: semicolons", ";;;", cookie("", "")),
        Row("5.6: a tab inside", "n=v\tw", cookie("n", "v\tw")),
    ]

    static let attributeRows: [Row] = [
        Row(
            "5.6: case does not matter",
            "n=v; SECURE; httponly",
            cookie { ($0.isSecure, $0.isHTTPOnly) = (true, true) }
        ),
        Row("5.6: unknown ones are ignored", "n=v; Foo=bar; Baz; =; ==; Securee; Secur", cookie()),
        Row(
            "5.6: a value of a flag is ignored",
            "n=v; Secure=false; HttpOnly=",
            cookie { ($0.isSecure, $0.isHTTPOnly) = (true, true) }
        ),
        Row(
            "5.6, 5: white space around both",
            "n=v;\tPath = \t/a ;Domain=\tb.c ",
            cookie { ($0.path, $0.domain) = ("/a", "b.c") }
        ),
        Row("5.6, 6: 1024 bytes", "n=v; Path=/\(long.dropFirst())", cookie { $0.path = "/\(long.dropFirst())" }),
        Row("5.6, 6: 1025 bytes: as if not there", "n=v; Path=/a; Path=/\(long)", cookie { $0.path = "/a" }),
        Row("5.6, 6: 1025 bytes: as if not there", "n=v; Domain=a.b; Domain=\(long)x", cookie { $0.domain = "a.b" }),
        Row("5.6.1: Expires", "n=v; Expires=Thu, 01 Jan 1970 00:00:09 GMT", cookie { $0.lifetime.expires = at(9) }),
        Row(
            "5.6.1, 2: no date: as if not there",
            "n=v; Expires=1 Jan 1970 00:00:09; Expires=soon",
            cookie { $0.lifetime.expires = at(9) }
        ),
        Row(
            "5.6.1: the last one",
            "n=v; Expires=1 Jan 1970 00:00:09; Expires=1 Jan 1970 00:00:08",
            cookie { $0.lifetime.expires = at(8) }
        ),
        Row("5.6.2: Max-Age", "n=v; Max-Age=60", cookie { $0.lifetime.maxAge = 60 }),
        Row("5.6.2: zero", "n=v; max-age=0", cookie { $0.lifetime.maxAge = 0 }),
        Row("5.6.2: leading zeros", "n=v; max-age=007", cookie { $0.lifetime.maxAge = 7 }),
        Row("5.6.2, 2: negative", "n=v; Max-Age=-60", cookie { $0.lifetime.maxAge = -60 }),
        Row("5.6.2, 1: empty", "n=v; Max-Age=", cookie()),
        Row("5.6.2, 2: a sign alone", "n=v; Max-Age=-", cookie()),
        Row("5.6.2, 2: plus", "n=v; Max-Age=+60", cookie()),
        Row("5.6.2, 3: no digits", "n=v; Max-Age=6o", cookie()),
        Row("5.6.2, 3: a fraction", "n=v; Max-Age=6.0", cookie()),
        Row("5.6.2, 3: two signs", "n=v; Max-Age=--6", cookie()),
        Row("5.6.2, 3: other digits", "n=v; Max-Age=６", cookie()),
        Row("5.6.2: as if not there", "n=v; Max-Age=60; Max-Age=x", cookie { $0.lifetime.maxAge = 60 }),
        Row("5.6.2: the last one", "n=v; Max-Age=60; Max-Age=61", cookie { $0.lifetime.maxAge = 61 }),
        Row("5.6.3: Domain", "n=v; Domain=Example.COM", cookie { $0.domain = "example.com" }),
        Row("5.6.3, 2: one leading dot", "n=v; Domain=.a.b", cookie { $0.domain = "a.b" }),
        Row("5.6.3, 2: one leading dot only", "n=v; Domain=..a.b", cookie { $0.domain = ".a.b" }),
        Row("5.6.3: empty", "n=v; Domain=", cookie { $0.domain = "" }),
        Row("5.6.3: the last one", "n=v; Domain=a.b; Domain", cookie { $0.domain = "" }),
        Row("5.6.4: Path", "n=v; Path=/A/b c", cookie { $0.path = "/A/b c" }),
        Row("5.6.4, 1: no slash: the default", "n=v; Path=a", cookie { $0.path = "" }),
        Row("5.6.4, 1: empty: the default", "n=v; Path", cookie { $0.path = "" }),
        Row("5.6.4: the last one", "n=v; Path=/a; Path=/b", cookie { $0.path = "/b" }),
        Row("5.6.7: SameSite", "n=v; SameSite=strict", cookie { $0.sameSite = .strict }),
        Row("5.6.7: SameSite", "n=v; samesite=LAX", cookie { $0.sameSite = .lax }),
        Row("5.6.7: SameSite", "n=v; SAMESITE=None", cookie { $0.sameSite = .none }),
        Row("5.6.7: anything else says nothing", "n=v; SameSite=Lax; SameSite=sometimes", cookie()),
        Row("5.6.7: nothing", "n=v; SameSite", cookie()),
    ]

    private static func at(_ seconds: TimeInterval) -> Date { Date(timeIntervalSince1970: seconds) }

    @Test("names and values of Set-Cookie fields are parsed", arguments: pairRows)
    func pairs(_ row: Row) throws { #expect(try SetCookieParser.parse(row.field) == row.expected) }

    @Test("attributes of Set-Cookie fields are parsed", arguments: attributeRows)
    func attributes(_ row: Row) throws { #expect(try SetCookieParser.parse(row.field) == row.expected) }

    @Test("5.6, 1: a control character anywhere makes a Set-Cookie field invalid", arguments: Array(0...0x1F) + [0x7F])
    func controls(_ code: Int) throws {
        let character = String(UnicodeScalar(UInt8(code)))
        for field in [
            "n\(character)=v", "n=v\(character)w", "n=v; Path=/\(character)a", "n=v; \(character)", character,
        ] {
            if code == 9 {
                #expect(throws: Never.self) { try SetCookieParser.parse(field) }
            } else {
                #expect(throws: CookieError.controlCharacter) { try SetCookieParser.parse(field) }
            }
        }
    }

    @Test(
        "5.6, 1: a line end within a two-scalar character of a Set-Cookie field is detected",
        arguments: ["n=v\r\nSet-Cookie: a=b", "n=v\r\n", "\r\n"]
    )
    func lineEnds(_ field: String) {
        #expect(throws: CookieError.controlCharacter) { try SetCookieParser.parse(field) }
    }

    @Test("5.6, 5: the name and the value of a cookie have at most 4096 bytes", arguments: [0, 1, 2000, 4095, 4096])
    func lengths(_ nameLength: Int) throws {
        let name = String(repeating: "n", count: nameLength)
        let value = String(repeating: "v", count: 4096 - nameLength)
        #expect(try SetCookieParser.parse(" \(name) = \(value) ").name == name)
        #expect(throws: CookieError.tooLong) { try SetCookieParser.parse("\(name)=\(value)v") }
        #expect(throws: CookieError.tooLong) { try SetCookieParser.parse("n\(name)=\(value); Path=/") }
    }

    @Test("5.6, 5: the length of a cookie is counted in bytes, not in characters")
    func bytes() {
        #expect(throws: CookieError.tooLong) {
            try SetCookieParser.parse("n=" + String(repeating: "\u{1F36A}", count: 1024))
        }
    }

    @Test(
        "the time for a long Set-Cookie field is linear in its length",
        arguments: [";", "=", "a;", " ", "Path=/;", "Max-Age=9"]
    )
    func longFields(_ piece: String) throws {
        let text = String(repeating: piece, count: 40_000)
        let time = processorTime {
            _ = try? SetCookieParser.parse(text)
            _ = try? SetCookieParser.parse("n=v;" + text)
            _ = try? SetCookieParser.parse("n=v; Expires=" + text)
        }
        #expect(time < .seconds(20))
    }
}
