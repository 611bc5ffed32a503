import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import MoyaHTTP
@testable import MoyaHTTPFields

@Suite("Fields of a response are bytes until they are read")
struct ResponseFieldsTests {
    private static func scan(_ bytes: [UInt8], maximumCount: Int = 100) -> (fields: ResponseFields, end: Int)? {
        var end = 0
        let fields = bytes.withUnsafeBytes { ResponseFields(scanning: $0, from: &end, maximumCount: maximumCount) }
        return fields.map { ($0, end) }
    }

    private static func scan(_ text: String) -> (fields: ResponseFields, end: Int)? { scan(Array(text.utf8)) }

    /// The spelling and the bytes of each field, which equal fields may differ in.
    private static func exact(_ fields: HTTPFields) -> [[UInt8]] {
        fields.map { Array("\($0.name.rawName):".utf8) + $0.bytes }
    }

    private static let usual =
        "Server: nginx\r\nDate: Fri, 27 Nov 2026 03:12:05 GMT\r\nContent-Type: application/json\r\n"
        + "Content-Length: 66\r\nConnection: keep-alive\r\nX-Own: a\r\n\r\n"

    @Test(
        "the scan of field lines accepts the usual form, and reading creates the same fields as their texts",
        arguments: [
            ("\r\n", []), ("\r\nA: b\r\n\r\n", []),
            (
                usual,
                [
                    ("Server", "nginx"), ("Date", "Fri, 27 Nov 2026 03:12:05 GMT"),
                    ("Content-Type", "application/json"), ("Content-Length", "66"), ("Connection", "keep-alive"),
                    ("X-Own", "a"),
                ]
            ),
            ("A:b\r\nB:\r\nC: \r\nD: \t \r\n\r\n", [("A", "b"), ("B", ""), ("C", ""), ("D", "")]),
            ("a:  b c  \r\nA: \td:e\r\n\r\n", [("a", "b c"), ("A", "d:e")]),
            ("!#$%&'*+-.^_`|~09azAZ: x\r\n\r\n", [("!#$%&'*+-.^_`|~09azAZ", "x")]),
            ("A: gr\u{fc}n \u{1F600}\r\n\r\n", [("A", "gr\u{fc}n \u{1F600}")]),
        ] as [(String, [(String, String)])]
    )
    func accepts(text: String, expected: [(String, String)]) throws {
        let (fields, _) = try #require(Self.scan(text))
        let oracle = HTTPFields(
            try expected.map { HTTPField(name: try #require(HTTPField.Name($0.0)), value: $0.1) }
        )
        #expect(Self.exact(fields.fields) == Self.exact(oracle))
        #expect(fields.fields == oracle)
        #expect(fields == ResponseFields(oracle))
    }

    @Test("the scan of field lines ends after the empty line")
    func end() throws {
        let (fields, end) = try #require(Self.scan("A: b\r\n\r\nC: d\r\n\r\n"))
        #expect(end == 8)
        #expect(fields.fields.map(\.value) == ["b"])
        #expect(fields == Self.scan("a: b\r\n\r\n")?.fields)
        #expect(fields != Self.scan("a: c\r\n\r\n")?.fields)
    }

    @Test("a value that is not UTF-8 keeps its bytes until the fields are read, and afterwards")
    func latin1() throws {
        let (fields, _) = try #require(Self.scan(Array("A: ".utf8) + [0xE4, 0x20, 0xFF] + Array("\r\n\r\n".utf8)))
        #expect(fields.fields.map(\.bytes) == [[0xE4, 0x20, 0xFF]])
        #expect(fields.fields.first?.text == "\u{e4} \u{ff}")
    }

    @Test(
        "the scan of field lines does not accept a form that needs a decision, or an incomplete section",
        arguments: [
            "", "\r", "\n", "A", "A:", "A: b", "A: b\r", "A: b\r\n", "A: b\r\n\r", "A: b\n\r\n", "A: b\n\n",
            "A: b\r\n\n",
            "A: b\r\n c\r\n\r\n", "A: b\r\n\tc\r\n\r\n", " A: b\r\n\r\n", "A : b\r\n\r\n", "A\t: b\r\n\r\n",
            ": b\r\n\r\n",
            "A B: c\r\n\r\n", "\u{e4}: b\r\n\r\n", "A\r\n\r\n", "A: b\rc\r\n\r\n", "A: b\0c\r\n\r\n", "A: b\tc\r\n\r\n",
            "A: b\t\r\n\r\n", "A: b\u{1}\r\n\r\n", "A: b\u{7f}\r\n\r\n", "A: b\r\r\n\r\n", "\rA: b\r\n\r\n",
            "(: b\r\n\r\n",
        ]
    )
    func refuses(text: String) { #expect(Self.scan(text) == nil) }

    @Test(
        "the scan of field lines finds a control character at each position of a value",
        arguments: [1, 7, 8, 9, 16, 23]
    )
    func controlCharacters(length: Int) {
        for position in 0..<length {
            for byte in UInt8.min...UInt8.max {
                var value = [UInt8](repeating: UInt8(ascii: "x"), count: length)
                value[position] = byte
                let scanned = Self.scan(Array("A:".utf8) + value + Array("\r\n\r\n".utf8))
                // A tab before the value is not a part of it.
                let isAllowed = byte == 0x09 ? position == 0 : !byte.isControlCharacter
                guard (scanned != nil) == isAllowed else {
                    Issue.record("The byte \(byte) at \(position) of \(length) is \(isAllowed ? "not " : "")accepted.")
                    return
                }
            }
        }
    }

    @Test("the number of field lines that the scan accepts is limited")
    func count() {
        let lines = String(repeating: "A: b\r\n", count: 3) + "\r\n"
        #expect(Self.scan(Array(lines.utf8), maximumCount: 3) != nil)
        #expect(Self.scan(Array(lines.utf8), maximumCount: 2) == nil)
    }

    private static let names: [(ScannedFieldNames, String)] = [
        (.connection, "Connection"), (.keepAlive, "Keep-Alive"), (.contentLength, "Content-Length"),
        (.transferEncoding, "Transfer-Encoding"), (.contentEncoding, "Content-Encoding"), (.setCookie, "Set-Cookie"),
        (.cacheControl, "Cache-Control"), (.expires, "Expires"), (.eTag, "ETag"), (.lastModified, "Last-Modified"),
        (.strictTransportSecurity, "Strict-Transport-Security"), (.location, "Location"),
        (.contentLocation, "Content-Location"), (.retryAfter, "Retry-After"), (.rateLimit, "RateLimit"),
    ]

    @Test("the record of the scan knows a name in any case, and does not confuse it with another one")
    func record() throws {
        for (name, text) in Self.names {
            for spelling in [text, text.lowercased(), text.uppercased()] {
                let (fields, _) = try #require(Self.scan("A: b\r\n\(spelling): c\r\nD: e\r\n\r\n"))
                for (other, _) in Self.names { #expect(fields.contains(other) == (other == name), "\(spelling)") }
                #expect(fields.byteCount != nil)
                let made = ResponseFields(fields.fields)
                for (other, _) in Self.names { #expect(made.contains(other) == (other == name), "\(spelling)") }
            }
            // Characters of tokens that differ from a letter or a hyphen in few bits.
            for (from, to) in [("E", "%"), ("-", "_"), ("C", "c_"), ("T", "^"), ("N", ".")] {
                let similar = text.uppercased().replacingOccurrences(of: from, with: to)
                guard similar != text.uppercased() else { continue }
                let (fields, _) = try #require(Self.scan("\(similar): c\r\n\r\n"))
                #expect(!Self.names.contains { fields.contains($0.0) }, "\(similar)")
            }
        }
        let (both, _) = try #require(Self.scan("etag: a\r\nExpires: b\r\n\r\n"))
        #expect(both.contains(.eTag) && both.contains(.expires) && both.contains([.setCookie, .eTag]))
        #expect(!both.contains([.setCookie, .cacheControl]))
    }

    @Test(
        "the record of the scan knows all names of rate limits by their beginnings",
        arguments: [
            ("RateLimit-Policy", true), ("ratelimit-remaining", true), ("X-RateLimit-Reset", true),
            ("x-rate-limit-remaining", true), ("X-Rate", true), ("X-Rat", false), ("RateLimi", false),
            ("XX-RateLimit", false),
        ]
    )
    func rateLimits(name: String, isKnown: Bool) throws {
        let (fields, _) = try #require(Self.scan("\(name): 1\r\n\r\n"))
        #expect(fields.contains(.rateLimit) == isKnown)
        #expect(ResponseFields(fields.fields).contains(.rateLimit) == isKnown)
    }

    @Test("the scan reports the values of the requested names, without the space around them")
    func reports() {
        let bytes = Array("Connection:  a, b \r\nETag: c\r\ncontent-length:\r\n\r\n".utf8)
        var (end, reported) = (0, [String]())
        let fields = bytes.withUnsafeBytes {
            ResponseFields(
                scanning: $0,
                from: &end,
                maximumCount: 3,
                reporting: [.connection, .contentLength],
                to: { reported.append("\($0.rawValue) \(String(decoding: $1, as: UTF8.self))") }
            )
        }
        #expect(fields != nil)
        #expect(
            reported == [
                "\(ScannedFieldNames.connection.rawValue) a, b", "\(ScannedFieldNames.contentLength.rawValue) ",
            ]
        )
    }

    @Test("fields are created once, when they are first read, and copies share them")
    func once() throws {
        let (fields, end) = try #require(Self.scan(Self.usual))
        let copy = fields
        #expect(fields.byteCount == end - 2)
        #expect(copy.fields.count == 6)
        #expect(fields.byteCount == nil && copy.byteCount == nil)
        #expect(fields.fields == copy.fields)
    }

    @Test("threads that read the same fields at the same time get equal fields")
    func threads() throws {
        let expected = try #require(Self.scan(Self.usual)).fields.fields
        for _ in 0..<200 {
            let (fields, _) = try #require(Self.scan(Self.usual))
            let seen = Recorder<HTTPFields>()
            DispatchQueue.concurrentPerform(iterations: 8) { _ in
                if fields.contains(.contentLength) { seen.add(fields.fields) }
            }
            #expect(seen.values.count == 8)
            #expect(seen.values.allSatisfy { $0 == expected })
        }
    }

    @Test("changed headers of a response replace the received fields of this response only")
    func changes() throws {
        let (fields, _) = try #require(Self.scan("Server: a\r\nETag: b\r\n\r\n"))
        let original = TransportResponse(status: 200, fields: fields, body: .complete(Data()), trailers: [:])
        var changed = original
        changed.headers[.eTag] = nil
        changed.headers[.setCookie] = "c=d"
        #expect(changed.headers == [.server: "a", .setCookie: "c=d"])
        #expect(!changed.fields.contains(.eTag) && changed.fields.contains(.setCookie))
        #expect(original.headers == [.server: "a", .eTag: "b"])
        #expect(original.fields.contains(.eTag) && !original.fields.contains(.setCookie))
    }
}
