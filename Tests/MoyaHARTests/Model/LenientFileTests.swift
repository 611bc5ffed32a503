import Foundation
import TestSupport
import Testing

@testable import MoyaHAR

@Suite("HAR files of other programs are read")
struct LenientFileTests {
    /// Returns an archive of one exchange with the required members and the given ones.
    private static func archive(
        _ entry: String = "",
        request: String = "",
        response: String? = "",
        log: String = ""
    ) -> Data {
        let response = response.map { #", "response": {"status": 200 \#($0.isEmpty ? "" : ", " + $0)}"# } ?? ""
        let text = #"""
            {"log": {\#(log)"entries": [{"startedDateTime": "2026-01-01T00:00:00Z", "time": 1 \#(entry.isEmpty ? "" : ", " + entry),
              "request": {"method": "GET", "url": "http://h/" \#(request.isEmpty ? "" : ", " + request)}\#(response)}]}}
            """#
        return Data(text.utf8)
    }

    private func first(_ data: Data) throws -> HAR.Entry {
        let har = try HAR(data: data)
        #expect(try HAR(data: har.data()) == har, "what is written is read")
        return try #require(har.entries.first)
    }

    @Test(
        "an `_error` member of any JSON type in a HAR file is kept",
        arguments: ["null", #""gone""#, "7", "true", #"{"code": 7, "text": "gone"}"#, #"["a", 1]"#]
    )
    func errors(_ error: String) throws {
        let data = Self.archive(response: #""_error": \#(error), "_errorCode": \#(error)"#)
        let entry = try first(data)
        #expect(entry.response.status == 200)
        if error.hasPrefix("{") || error.hasPrefix("[") {
            #expect(entry.response.error == nil)
            let value: JSONValue? = JSONValue(Data(error.utf8))
            #expect(value != nil && entry.response.customFields.value("_error") == value)
            #expect(entry.response.customFields.contains("_errorCode"))
        } else if error != "null" {
            #expect(entry.response.error == error.trimmingCharacters(in: ["\""]))
        }
    }

    @Test("an error that is assigned to a HAR entry replaces the error that another program wrote")
    func replacedError() throws {
        var har = try HAR(data: Self.archive(response: #""_error": {"a": 1}"#))
        har.entries[0].response.error = "gone"
        #expect(try HAR(data: har.data()).entries[0].response.error == "gone")
    }

    @Test(
        "Boolean values in a HAR file may be written as strings and numbers",
        arguments: [
            ("true", true), (#""true""#, true), (#""TRUE""#, true), ("1", true), (#""1""#, true), ("false", false),
            (#""false""#, false), ("0", false), (#""no""#, false), (#""""#, nil), ("null", nil), (#""maybe""#, nil),
            ("{}", nil), ("[1]", nil), ("2", nil),
        ] as [(String, Bool?)]
    )
    func booleans(_ value: String, _ bool: Bool?) throws {
        let cookie = #"{"name": "a", "value": "b", "httpOnly": \#(value), "secure": \#(value)}"#
        let entry = try first(Self.archive(request: #""cookies": [\#(cookie)]"#))
        #expect(entry.request.cookies.map(\.httpOnly) == [bool])
        #expect(entry.request.cookies.map(\.secure) == [bool])
    }

    @Test("a list of cookies, headers or parameters in a HAR file may be written as a single object")
    func single() throws {
        let field = #"{"name": "a", "value": "b", "_x": 1}"#
        let members =
            #""cookies": \#(field), "headers": \#(field), "queryString": \#(field), "postData": {"params": \#(field)}"#
        let entry = try first(
            Self.archive(request: members, response: #""cookies": \#(field), "headers": \#(field)"#)
        )
        #expect(entry.request.cookies.map(\.name) == ["a"])
        #expect(entry.request.headers.map(\.value) == ["b"])
        #expect(entry.request.queryString.map(\.name) == ["a"])
        #expect(entry.request.postData?.params.map(\.value) == ["b"])
        #expect(entry.response.cookies.count == 1 && entry.response.headers.count == 1)
        #expect(entry.request.headers.allSatisfy { $0.customFields.contains("_x") })
    }

    @Test(
        "strings in a HAR file may be written as numbers and Boolean values, and numbers as strings",
        arguments: [
            ("443", "443"), ("443.5", "443.5"), ("true", "true"), (#""443""#, "443"), ("-1", "-1"), ("1e3", "1000"),
        ]
    )
    func texts(_ value: String, _ text: String) throws {
        let field = #"{"name": \#(value), "value": \#(value), "comment": \#(value)}"#
        let entry = try first(
            Self.archive(
                #""connection": \#(value), "pageref": \#(value), "serverIPAddress": \#(value), "comment": \#(value)"#,
                request: #""httpVersion": \#(value), "headers": [\#(field)], "comment": \#(value)"#,
                response:
                    #""statusText": \#(value), "redirectURL": \#(value), "content": {"mimeType": \#(value), "text": \#(value)}"#,
                log:
                    #""version": \#(value), "comment": \#(value), "creator": {"name": \#(value), "version": \#(value)}, "#
            )
        )
        #expect([entry.connection, entry.pageref, entry.serverIPAddress, entry.comment].allSatisfy { $0 == text })
        #expect(entry.request.httpVersion == text)
        let header = try #require(entry.request.headers.first)
        #expect([header.name, header.value, header.comment].allSatisfy { $0 == text })
        #expect(entry.response.statusText == text && entry.response.content.text == text)
        let numbers = #""bodySize": "12", "headersSize": " 3.0 ""#
        let sizes = try first(Self.archive(#""timings": {"wait": "1.5", "send": ""}"#, request: numbers))
        #expect(sizes.request.bodySize == 12 && sizes.request.headersSize == 3)
        #expect(sizes.timings.wait == 1.5 && sizes.timings.send == -1)
    }

    @Test("an invalid base64 body in a HAR file is kept as text without bytes, and other exchanges are read")
    func invalidBase64() throws {
        let entry = try first(
            Self.archive(
                request: #""postData": {"mimeType": "a/b", "text": "%%", "_encoding": "base64"}"#,
                response: #""content": {"size": 3, "text": "iVB%Rw==", "encoding": "base64"}"#
            )
        )
        #expect(entry.response.content.text == "iVB%Rw==" && entry.response.content.data == nil)
        #expect(entry.request.postData?.text == "%%" && entry.request.postData?.data == nil)
    }

    @Test("an exchange in a HAR file may have no response", arguments: [nil, "null"])
    func withoutResponse(_ response: String?) throws {
        let entry = try first(Self.archive(response.map { #""response": \#($0)"# } ?? "", response: nil))
        #expect(entry.response.status == 0 && entry.response.content.size == -1)
    }

    @Test(
        "unpaired surrogates in a HAR file become replacement characters",
        arguments: [
            (#"a\ud83d"#, "a\u{FFFD}"), (#"\uDE00b"#, "\u{FFFD}b"), (#"\ud83d\ud83d\ude00"#, "\u{FFFD}😀"),
            (#"\\ud83d"#, #"\ud83d"#), (#"\\\ud83d"#, "\\\u{FFFD}"), (#"\ud83d\n"#, "\u{FFFD}\n"),
            (#"\ud83d\ude00"#, "😀"), (#"\ud83dx"#, "\u{FFFD}x"), (#"\u0041\ud800"#, "A\u{FFFD}"),
        ]
    )
    func surrogates(_ text: String, _ read: String) throws {
        let entry = try first(Self.archive(#""_x": "\#(text)""#, response: #""content": {"text": "\#(text)"}"#))
        #expect(entry.response.content.text == read)
    }

    @Test("a cookie's SameSite attribute and unknown members are kept when a HAR file is read and written")
    func otherMembers() throws {
        let cookie = #"{"name": "a", "value": "b", "sameSite": "Lax", "priority": "High", "_x": 1}"#
        let entry = try first(
            Self.archive(
                #""cache": {"afterRequest": {"eTag": "x"}}, "timings": {"queued": 1}"#,
                request: #""headers": [{"name": "n", "value": "v", "_encoding": {"a": 1}, "raw": true}]"#,
                response: #""cookies": [\#(cookie)], "fromCache": true"#,
                log:
                    #""_a": 1, "creator": {"name": "n", "version": "1", "_build": 7}, "pages": [{"startedDateTime": "2026-01-01T00:00:00Z", "pageTimings": {"onLoad": 1, "_first": 0.12345678901234567}}], "#
            )
        )
        #expect(entry.response.cookies.map(\.sameSite) == ["Lax"])
        #expect(entry.customFields.contains("cache") && entry.timings.customFields.contains("queued"))
        #expect(entry.response.customFields.contains("fromCache"))
        #expect(
            entry.request.headers.allSatisfy {
                $0.customFields.contains("_encoding") && $0.customFields.contains("raw")
            }
        )
    }

    @Test(
        "numbers of other programs in a HAR file are written as they were read",
        arguments: [
            "12345678901234567", "0.12345678901234567", "1234567890.1234567", "18446744073709551615",
            "-9223372036854775808",
            "123456789012345678901234567890", "0.1234567890123456789012345678901234567890", "1e400", "-2.5e-400",
            "1e+2",
            "0.30000000000000004", "83.18199999985844",
        ]
    )
    func exactNumbers(_ number: String) throws {
        let pages = #""pages": [{"startedDateTime": "2026-01-01T00:00:00Z", "pageTimings": {"_x": \#(number)}}], "#
        let har = try HAR(data: Self.archive(#""_x": [\#(number)]"#, log: pages))
        let data = try har.data()
        #expect(try HAR(data: data) == har)
        #expect(try HAR(data: data).data() == data)
        let value: JSONValue? = JSONValue(Data(number.utf8))
        let read = try #require(value)
        #expect(har.entries[0].customFields.value("_x") == .list([read]))
        #expect(har.pages[0].pageTimings.customFields.value("_x") == read)
        #expect(try HAR(data: data).entries[0].customFields.value("_x") == .list([read]))
    }

    @Test(
        "the value of a cookie without a name is masked in a recording, and is not used as the name",
        arguments: ["5ecretvalue", "=5ecretvalue"]
    )
    func namelessCookies(_ pair: String) throws {
        for cookie in [HAR.Cookie(set: "\(pair); Path=/; SameSite=Strict; Secure"), HAR.Cookie.sent(in: pair)[0]] {
            #expect(cookie.name.isEmpty && cookie.value == "5ecretvalue")
        }
        #expect(HAR.Cookie(set: "\(pair); SameSite=Strict; Expires=x").sameSite == "Strict")
        #expect(HAR.Cookie(set: "a=; Path=/").name == "a")
        // Another program writes the value of a cookie without a name as the name.
        let cookies = #""cookies": [{"name": "5ecretvalue", "value": ""}, {"name": "gone", "value": ""}]"#
        let header = #""headers": [{"name": "Set-Cookie", "value": "\#(pair); Path=/\ngone=; Max-Age=0"}]"#
        let har = try HAR(data: Self.archive(response: "\(cookies), \(header)")).masking(.standard)
        #expect(har.entries[0].response.cookies.map(\.name) == ["", "gone"])
        #expect(har.entries[0].response.cookies.map(\.value) == ["***", "***"])
        #expect(!String(decoding: try har.data(), as: UTF8.self).contains("5ecret"))
    }

    // MARK: Generated archives

    @Test("random HAR archives are equal after reading, writing and reading again", arguments: UInt64(1)...12)
    func generated(_ seed: UInt64) throws {
        var generator = GeneratedHAR(seed: seed)
        var readable = 0
        for round in 0..<25 {
            let text = generator.archive()
            guard let har = try? HAR(data: Data(text.utf8)) else { continue }
            readable += 1
            let written = try har.data()
            let again = try HAR(data: written)
            #expect(again == har, "seed \(seed), round \(round): \(text)")
            #expect(try again.data() == written, "seed \(seed), round \(round)")
            let masked = har.masking(.standard)
            #expect(try HAR(data: masked.data()) == masked, "seed \(seed), round \(round): \(text)")
        }
        #expect(readable > 20, "seed \(seed): nearly all are readable")
    }
}

/// A generator of random archives whose members have random types.
private struct GeneratedHAR {
    private var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

    private mutating func one(of values: [String]) -> String { values.randomElement(using: &random) ?? "null" }

    private mutating func text() -> String {
        one(of: [
            #""""#, #""a""#, #""Zoë""#, #""\u00c3\u00ab""#, #""\ud83d""#, #""\ud83d\ude00""#, #""443""#, #""true""#,
            #""https://h/?token=5ecretvalue&a=1""#, #""a=1; 5ecretvalue""#, #""\\\"\/\b\f\n\r\t\u0000""#, #""AAE=""#,
            #""%%""#, #""base64""#, #""***""#, #""ISO-8859-1""#, #""text/plain""#, #""application/json""#,
        ])
    }

    private mutating func number() -> String {
        one(of: [
            "0", "-1", "7", "-0.0", "1.5", "443", "1e2", "0.30000000000000004", "9007199254740993", "12345678901234567",
        ])
    }

    private mutating func scalar() -> String {
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<4: text()
        case 4..<8: number()
        default: one(of: ["true", "false", "null"])
        }
    }

    private mutating func any(_ depth: Int = 3) -> String {
        guard depth > 0, chance(30) else {
            return chance(10) ? one(of: ["1e400", "123456789012345678901234567890", "0.1e-7"]) : scalar()
        }
        if chance(50) {
            return "[\((0..<Int.random(in: 0...3, using: &random)).map { _ in any(depth - 1) }.joined(separator: ","))]"
        }
        return object([], custom: Int.random(in: 0...3, using: &random), depth - 1)
    }

    /// Returns an object with a random selection of these members and of custom fields.
    private mutating func object(_ members: [(String, String)], custom: Int = 1, _ depth: Int = 3) -> String {
        var parts = members.filter { _ in chance(80) }.map { "\"\($0.0)\": \($0.1)" }
        for _ in 0..<custom where chance(50) {
            let name = one(of: [
                "_x", "_error", "_errorCode", "_source", "_encoding", "_keptSize", "extra", "_token", "cache",
            ])
            parts.append("\"\(name)\": \(any(depth))")
        }
        // Duplicate members are removed, because their meaning is undefined.
        var names: Set<Substring> = []
        return
            "{\(parts.filter { names.insert($0.prefix { $0 != ":" }).inserted }.shuffled(using: &random).joined(separator: ", "))}"
    }

    private mutating func list(_ element: (inout GeneratedHAR) -> String) -> String {
        let elements = (0..<Int.random(in: 0...2, using: &random)).map { _ in element(&self) }
        return chance(10) ? element(&self) : "[\(elements.joined(separator: ", "))]"
    }

    private mutating func field() -> String {
        object([("name", scalar()), ("value", scalar()), ("comment", any())])
    }

    private mutating func cookie() -> String {
        object([
            ("name", scalar()), ("value", scalar()), ("path", scalar()), ("domain", text()), ("expires", scalar()),
            ("httpOnly", scalar()), ("secure", any()), ("sameSite", any()),
        ])
    }

    private mutating func timings() -> String {
        object(["blocked", "dns", "connect", "send", "wait", "receive", "ssl"].map { ($0, number()) }, custom: 2)
    }

    private mutating func request() -> String {
        let body = object([
            ("mimeType", scalar()), ("text", scalar()), ("params", list { $0.field() }), ("encoding", text()),
        ])
        let members = object(
            [
                ("httpVersion", scalar()), ("cookies", list { $0.cookie() }), ("headers", list { $0.field() }),
                ("queryString", list { $0.field() }), ("postData", body), ("headersSize", number()),
                ("bodySize", number()),
            ],
            custom: 2
        )
        return #"{"method": "GET", "url": \#(text()), "# + members.dropFirst()
    }

    private mutating func response() -> String {
        let content = object([
            ("size", number()), ("compression", number()), ("mimeType", scalar()), ("text", scalar()),
            ("encoding", text()),
        ])
        return object(
            [
                ("status", number()), ("statusText", scalar()), ("cookies", list { $0.cookie() }),
                ("headers", list { $0.field() }), ("content", content), ("redirectURL", scalar()),
                ("bodySize", number()),
            ],
            custom: 3
        )
    }

    private mutating func date() -> String {
        one(of: [
            #""2026-01-01T00:00:00Z""#, #""2026-01-01T00:00:00.1234567+01:00""#, #""0000-01-01""#,
            #""9999-12-31T23:59:59-23:00""#, #""2026-12-31T24:00:60.999Z""#,
        ])
    }

    private mutating func entry() -> String {
        let members = object(
            [
                ("time", number()), ("pageref", scalar()), ("response", response()), ("timings", timings()),
                ("cache", any()), ("serverIPAddress", scalar()), ("connection", scalar()), ("comment", any()),
            ],
            custom: 2
        )
        let start = #"{"startedDateTime": \#(date()), "request": \#(Self.closed(request()))"#
        return members == "{}" ? start + "}" : "\(start), \(members.dropFirst())"
    }

    mutating func archive() -> String {
        let timings = object([("onContentLoad", number()), ("onLoad", number()), ("comment", scalar())], custom: 2)
        let page =
            #"{"startedDateTime": \#(date()), "id": \#(scalar()), "title": \#(scalar()), "pageTimings": \#(timings)}"#
        let members = object(
            [
                ("version", scalar()), ("creator", field()), ("browser", field()), ("pages", "[\(page)]"),
                ("comment", any()),
            ],
            custom: 2
        )
        let entries = (0..<Int.random(in: 0...2, using: &random)).map { _ in entry() }.joined(separator: ",\n")
        let start = #"{"log": {"entries": [\#(entries)]"#
        return (members == "{}" ? start + "}" : "\(start), \(members.dropFirst())") + "}"
    }

    /// Returns an object without the comma before an omitted last member.
    private static func closed(_ object: String) -> String {
        object.hasSuffix(", }") ? String(object.dropLast(3)) + "}" : object
    }
}
