import Foundation
import TestSupport
import Testing

@testable import MoyaHTTP
@testable import MoyaJSON

/// `JSONSerialization` determines the value of each document; `JSONKeyPathTests` in MoyaTests has the tables of paths.
@Suite("A value in JSON text is found without creating the other values")
struct JSONKeyPathTests {
    /// The result of a decoder.
    private indirect enum Value: Decodable, Equatable {
        case null
        case bool(Bool)
        case number(Double, Int?)
        case text(String)
        case array([Value])
        case object([String: Value])

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if container.decodeNil() {
                self = .null
            } else if let value = try? container.decode(Bool.self) {
                self = .bool(value)
            } else if let value = try? container.decode(Double.self) {
                self = .number(value, try? container.decode(Int.self))
            } else if let value = try? container.decode(String.self) {
                self = .text(value)
            } else if let value = try? container.decode([Value].self) {
                self = .array(value)
            } else {
                self = .object(try container.decode([String: Value].self))
            }
        }
    }

    /// Compares the part found in a document with the part that Foundation finds.
    ///
    /// - Returns: Whether the document is plain.
    @discardableResult
    private func compare(_ document: Data, at path: String) throws -> Bool {
        let part: Data?
        do {
            part = try JSONKeyPath(path).plainPart(of: document)
        } catch {
            return false
        }
        let text: Comment = "\(path) in \(String(decoding: document, as: UTF8.self).debugDescription)"
        let expected = try? JSONKeyPath(path).partByFoundation(of: document)
        #expect((try? JSONSerialization.jsonObject(with: document, options: .fragmentsAllowed)) != nil, text)
        #expect((part == nil) == (expected == nil), text)
        guard let part, let expected else { return true }
        #expect(try Self.value(part) == Self.value(expected), text)
        return true
    }

    private static func value(_ json: Data) throws -> Value { try JSONDecoder().decode(Value.self, from: json) }

    private func isPlain(_ document: Data, at path: String) -> Bool {
        do {
            _ = try JSONKeyPath(path).plainPart(of: document)
            return true
        } catch {
            return false
        }
    }

    static let plain = [
        "1", "-1", "1.0", "-0.0", "0.1", "1e3", "1E+3", "1.5e-2", "18446744073709551615", "18446744073709551616",
        "true",
        "false", "null", #""""#, #""é😀 \" \\ \/ \b \f \n \r \t \u00e9 \ud83d\ude00""#, "[]", "{}", "[[],{}]",
        #"{"x":[1,{"y":[]}],"z":null}"#, #"{"x":1,"y":2,"X":3}"#,
    ]

    @Test("each kind of value at a key path is found with its text", arguments: plain)
    func values(_ value: String) throws {
        for document in [#"{"a":\#(value)}"#, " { \"b\" : [1, {\"a\": 2}],\n\"a\"\t:\r\n \(value) , \"c\" : {} } "] {
            #expect(try JSONKeyPath("a").plainPart(of: Data(document.utf8)) == Data(value.utf8))
            #expect(try compare(Data(document.utf8), at: "a"))
        }
        #expect(
            try JSONKeyPath("a").plainPart(of: Data(#"[{"a":\#(value)},{"a":\#(value)}]"#.utf8))
                == Data("[\(value),\(value)]".utf8)
        )
        #expect(try JSONKeyPath("a").plainPart(of: Data(value.utf8)) == (value == "[]" ? Data("[]".utf8) : nil))
    }

    @Test(
        "a name in a key path is compared as text, in any escaped or composed spelling",
        arguments: [
            (#"{"\u0061":1}"#, "a"), (#"{"\ud83d\ude00":1}"#, "😀"), ("{\"e\u{301}\":1}", "é"), (#"{"\u212a":1}"#, "K"),
            (#"{"\/":1}"#, "/"), (#"{"":1}"#, ""), (#"{"\u0000":1}"#, "\u{0}"),
        ]
    )
    func names(document: String, path: String) throws {
        #expect(try JSONKeyPath(path).plainPart(of: Data(document.utf8)) == Data("1".utf8))
        #expect(try compare(Data(document.utf8), at: path))
    }

    static let malformedTexts = [
        "", " ", "{", #"{"a""#, #"{"a":"#, #"{"a":1"#, #"{"a":1}}"#, #"{"a":1} x"#, #"{"a":1,"b":}"#,
        #"{"a":1,"b":01}"#,
        #"{"a":1,"b":"\x"}"#, #"{"a":1,"b":"\ud800"}"#, #"{"a":1,"b":"\udc00"}"#, #"{"a":1,"b":"\ud800\ud800"}"#,
        #"{"a":1,"b":"\u00g0"}"#, "{\"a\":1,\"b\":\"\u{1}\"}", #"{"a":1,"b":tru}"#, #"{"a":1,"b":1e309}"#,
        #"{"a":1 "b":2}"#,
        #"{"a":1,b:2}"#, #"{"a":1,"b":[1,,2]}"#, #"{"a":1,"b":[1}}"#, #"{"a":1,"b":{]}"#, #"{"a":1,"b":1.}"#,
        "{\"a\":1}\0",
        #"{"a":1,"b":-}"#, #"{"a":1,"b":.5}"#, #"{"a":1,"b":1e}"#, #"{"a":1,"b":+1}"#, #"{"a":1,"b":'x'}"#, "\u{1}",
        "{\"a\":1/**/}",
    ]

    @Test(
        "malformed JSON text has Foundation's error, also if the damage is after the value",
        arguments: malformedTexts
    )
    func malformed(_ document: String) {
        let expected = #expect(throws: (any Error).self) {
            try JSONSerialization.jsonObject(with: Data(document.utf8), options: .fragmentsAllowed)
        }
        let error = #expect(throws: (any Error).self) { try JSONKeyPath("a").part(of: Data(document.utf8)) }
        #expect(error as NSError? == expected as NSError?)
        #expect(throws: JSONReader.NotPlain.self) { try JSONKeyPath("a").plainPart(of: Data(document.utf8)) }
    }

    @Test(
        "JSON text that is not UTF-8 has Foundation's error",
        arguments: [
            [0x80], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xE2, 0x28, 0xA1],
            [0xF4, 0x90, 0x80, 0x80], [0xC3],
        ]
    )
    func invalidUTF8(_ bytes: [UInt8]) {
        let document = Data(#"{"a":1,"b":""#.utf8) + bytes + Data("\"}".utf8)
        #expect(throws: (any Error).self) { try JSONSerialization.jsonObject(with: document) }
        #expect(throws: (any Error).self) { try JSONKeyPath("a").part(of: document) }
    }

    #if !canImport(Darwin)
    /// The texts with Foundation's results, which differ from the results of decoders.
    static let ambiguousTexts: [(document: String, part: String)] = [
        (#"{"a":1,"a":2}"#, "2"), (#"{"a":1,"\u0061":2}"#, "2"), (#"{"a":{"b":1,"b":2}}"#, #"{"b":2}"#),
        (#"{"a":[{"é":1,"e\#u{301}":2}]}"#, ""), (#"{"a":[1,],}"#, "[1]"), (#"{"a":-0}"#, "0"),
        (#"{"a":1e-400}"#, "0"),
        (#"{"a":9223372036854775807.0}"#, "9223372036854775807"), ("{\"a\":\"\u{FEFF}x\"}", "\"x\""),
        ("\u{FEFF}{\"a\":1}", "1"),
        (#"{"a":{"b":1,"K":2,"\u212a":3}}"#, ""),
    ]

    @Test("JSON text that parsers interpret differently is left to Foundation", arguments: ambiguousTexts)
    func ambiguous(document: String, part: String) throws {
        #expect(throws: JSONReader.NotPlain.self) { try JSONKeyPath("a").plainPart(of: Data(document.utf8)) }
        let found = try #require(try JSONKeyPath("a").part(of: Data(document.utf8)))
        #expect(part.isEmpty || found == Data(part.utf8))
    }
    #endif

    @Test(
        "a value at a key path is found in UTF-16 and UTF-32",
        arguments: [
            String.Encoding.utf16, .utf16BigEndian, .utf16LittleEndian, .utf32, .utf32BigEndian, .utf32LittleEndian,
        ]
    )
    func encodings(_ encoding: String.Encoding) throws {
        let document = try #require(#"{"a":{"b":"é"}}"#.data(using: encoding))
        #expect(try JSONKeyPath("a.b").part(of: document) == Data("\"é\"".utf8))
    }

    @Test("512 levels of JSON are read, 513 have Foundation's error, and a million do not crash")
    func depth() throws {
        func nested(_ levels: Int, _ inner: String = "") -> String {
            String(repeating: "[", count: levels) + inner + String(repeating: "]", count: levels)
        }
        for (levels, isRead) in [(511, true), (512, false), (513, false), (1_000_000, false)] {
            let inside = Data(#"{"a":\#(nested(levels)),"b":1}"#.utf8)
            let around = Data(nested(levels, #"{"a":1}"#).utf8)
            for (document, path) in [(inside, "a"), (inside, "b"), (around, "a")] {
                #expect(isPlain(document, at: path) == isRead)
                #expect(((try? JSONSerialization.jsonObject(with: document)) != nil) == isRead)
                if !isRead { #expect(throws: (any Error).self) { try JSONKeyPath(path).part(of: document) } }
            }
        }
    }

    @Test("key paths in random documents, a third of them damaged, have Foundation's results", arguments: 1...4)
    func random(_ seed: UInt64) throws {
        var random = RandomJSON(seed: seed)
        var plain = 0
        for _ in 0..<4_000 where try compare(random.document(), at: random.path()) { plain += 1 }
        // The other documents are damaged or left to Foundation.
        #expect(plain > 1_200)
    }

    @Test("key paths in random bytes have Foundation's results", arguments: 1...2)
    func randomBytes(_ seed: UInt64) throws {
        var random = RandomJSON(seed: seed)
        for _ in 0..<10_000 {
            // The slice is in the middle of other data, which must not be read.
            let bytes = random.bytes()
            let slice = (Data("[[".utf8) + bytes + Data("]]".utf8)).dropFirst(2).dropLast(2)
            #expect((try? JSONKeyPath("a").plainPart(of: slice)) == (try? JSONKeyPath("a").plainPart(of: bytes)))
            try compare(slice, at: "a")
        }
    }
}
