#if NIO && !canImport(Darwin)
import HTTPTypes
import NIOCore
import NIOHPACK
import TestSupport
import Testing

@testable import MoyaHTTP
@testable import MoyaNIOTransport

@Suite("HPACK header sections are decoded (RFC 7541)")
struct HPACKFieldDecoderTests {
    private static func bytes(_ hexadecimal: String) -> ByteBuffer {
        let digits = Array(hexadecimal.utf8).compactMap(\.hexValue)
        return ByteBuffer(bytes: stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] })
    }

    private static func text(_ line: HPACKFieldDecoder.Line) -> String {
        switch line.line {
        case .field(let field): "\(field.name.rawName): \(field.value)"
        case .pseudo(let name, let value): "\(name): \(value)"
        case .invalidName(let name): "invalid name \(name)"
        case .connectionField(let name): "connection field \(name)"
        case .invalidValue(let name): "invalid value of \(name)"
        }
    }

    private static func texts(_ decoder: inout HPACKFieldDecoder, _ block: ByteBuffer) throws -> [String] {
        try decoder.decode(block).map(text)
    }

    // Both sequences have the same strings, without and with Huffman code.
    static let examples: [(String, [(block: String, lines: [String])])] = [
        (
            "C.3",
            [
                (
                    "828684410f7777772e6578616d706c652e636f6d",
                    [":method: GET", ":scheme: http", ":path: /", ":authority: www.example.com"]
                ),
                (
                    "828684be58086e6f2d6361636865",
                    [
                        ":method: GET", ":scheme: http", ":path: /", ":authority: www.example.com",
                        "cache-control: no-cache",
                    ]
                ),
                (
                    "828785bf400a637573746f6d2d6b65790c637573746f6d2d76616c7565",
                    [
                        ":method: GET", ":scheme: https", ":path: /index.html", ":authority: www.example.com",
                        "custom-key: custom-value",
                    ]
                ),
            ]
        ),
        (
            "C.4",
            [
                (
                    "828684418cf1e3c2e5f23a6ba0ab90f4ff",
                    [":method: GET", ":scheme: http", ":path: /", ":authority: www.example.com"]
                ),
                (
                    "828684be5886a8eb10649cbf",
                    [
                        ":method: GET", ":scheme: http", ":path: /", ":authority: www.example.com",
                        "cache-control: no-cache",
                    ]
                ),
                (
                    "828785bf408825a849e95ba97d7f8925a849e95bb8e8b4bf",
                    [
                        ":method: GET", ":scheme: https", ":path: /index.html", ":authority: www.example.com",
                        "custom-key: custom-value",
                    ]
                ),
            ]
        ),
    ]

    @Test("the examples of RFC 7541, appendix C, are decoded", arguments: examples)
    func appendixC(_ section: String, _ blocks: [(block: String, lines: [String])]) throws {
        var decoder = HPACKFieldDecoder(sectionLimit: 1 << 20)
        for block in blocks {
            #expect(try Self.texts(&decoder, Self.bytes(block.block)) == block.lines, "\(section)")
        }
    }

    @Test("the HPACK output of swift-nio-http2 is decoded, with evictions and other table sizes", arguments: 0..<20)
    func differential(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var encoder = HPACKEncoder(allocator: ByteBufferAllocator(), useHuffmanEncoding: seed % 4 != 0)
        var (ours, theirs) = (
            HPACKFieldDecoder(sectionLimit: 1 << 20),
            HPACKDecoder(allocator: ByteBufferAllocator(), maxDynamicTableSize: 4_096, maxHeaderListSize: 1 << 20)
        )
        let names = ["etag", "x-a", "location", ":status", "set-cookie", "x-b-c", "date", "connection"]
        for _ in 0..<60 {
            if Int.random(in: 0..<8, using: &random) == 0 {
                try encoder.setDynamicTableSize(Int.random(in: 0...4_096, using: &random))
            }
            var headers = HPACKHeaders()
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                let length = Int.random(in: 0...(Bool.random(using: &random) ? 8 : 300), using: &random)
                let value = (0..<length).map { _ in
                    Unicode.Scalar(UInt8.random(in: 0x21...(seed % 2 == 0 ? 0x7E : 0xFF), using: &random))
                }
                headers.add(
                    name: names.randomElement(using: &random) ?? "",
                    value: String(String.UnicodeScalarView(value.filter { $0.value != 0x7F })),
                    indexing: [.indexable, .indexable, .nonIndexable, .neverIndexed].randomElement(using: &random)
                        ?? .indexable
                )
            }
            var block = ByteBuffer()
            try encoder.encode(headers: headers, to: &block)
            let lines = try ours.decode(block)
            let expected = try theirs.decodeHeaders(from: &block)
            #expect(lines.count == expected.count)
            for (line, field) in zip(lines, expected) {
                #expect(line.size == field.name.utf8.count + field.value.utf8.count + 32)
                if field.name == "connection" {
                    #expect(Self.text(line) == "connection field connection")
                } else {
                    #expect(Self.text(line) == "\(field.name): \(field.value)")
                }
            }
        }
    }

    @Test(
        "a byte that is not UTF-8 counts as one byte in the HPACK table, so that evictions match the server's evictions"
    )
    func eviction() throws {
        var decoder = HPACKFieldDecoder(sectionLimit: 1 << 20)
        // The table holds exactly 32 entries of 128 bytes: two for the name, 94 for the value, 32 more.
        func literal(_ index: UInt8) -> [UInt8] {
            [0x40, 2, UInt8(ascii: "a"), UInt8(ascii: "a") + index % 26, 94] + [UInt8](repeating: 0xE9, count: 93)
                + [0x80 + index]
        }
        for index in UInt8(0)..<32 { _ = try decoder.decode(ByteBuffer(bytes: literal(index))) }
        for index in UInt8(0)..<32 {
            // The newest entry has index 62.
            let lines = try decoder.decode(ByteBuffer(bytes: [0x80 | (62 + 31 - index)]))
            guard case .field(let field)? = lines.first?.line else { throw HPACKError.invalidIndex }
            #expect(field.bytes == [UInt8](repeating: 0xE9, count: 93) + [0x80 + index])
        }
        #expect(throws: HPACKError.invalidIndex) { try decoder.decode(ByteBuffer(bytes: [0x80 | (62 + 32)])) }
        _ = try decoder.decode(ByteBuffer(bytes: literal(32)))
        #expect(throws: HPACKError.invalidIndex) { try decoder.decode(ByteBuffer(bytes: [0x80 | (62 + 32)])) }
    }

    @Test("every byte is decoded from its Huffman code in HPACK")
    func symbols() throws {
        // The code of each byte, from swift-nio-http2 for ASCII, and from a Latin-1 value as UTF-8 for the others.
        var (encoder, decoder) = (
            HPACKEncoder(allocator: ByteBufferAllocator()), HPACKFieldDecoder(sectionLimit: 1 << 20)
        )
        for scalar in (0x21...0x2FF).compactMap({ Unicode.Scalar($0) }) where scalar.value != 0x7F {
            let value = String(Character(scalar))
            var block = ByteBuffer()
            try encoder.encode(headers: HPACKHeaders([("x", value)]), to: &block)
            #expect(try decoder.decode(block).map(Self.text) == ["x: \(value)"])
        }
    }

    @Test(
        "an invalid HPACK header section is an error",
        arguments: [
            ("80", .invalidIndex), ("fe", .invalidIndex), ("ff808080808001", .invalidInteger), ("40", .truncated),
            ("4001", .truncated), ("400161", .truncated), ("40016102", .truncated), ("ff", .truncated),
            ("007fffffff7f", .truncated),
            // A table of more than 4,096 bytes, three changes of the size, and a change after a field.
            ("3fe21f", .invalidTableSize), ("202020", .invalidTableSize), ("8820", .invalidTableSize),
            // Padding of eight bits, padding with a zero, and EOS.
            ("000161" + "82" + "1fff", .invalidHuffmanCode), ("000161" + "81" + "18", .invalidHuffmanCode),
            ("000161" + "84" + "ffffffff", .invalidHuffmanCode), ("000161" + "81" + "ff", .invalidHuffmanCode),
        ] as [(String, HPACKError)]
    )
    func errors(_ block: String, _ error: HPACKError) {
        var decoder = HPACKFieldDecoder(sectionLimit: 1 << 20)
        #expect(throws: error) { try decoder.decode(Self.bytes(block)) }
    }

    @Test("a control character in a value over HTTP/2 is kept in Location, and becomes a space in other fields")
    func controlCharacters() throws {
        var decoder = HPACKFieldDecoder(sectionLimit: 200)
        #expect(try Self.texts(&decoder, Self.bytes("0f1f" + "03610162")) == ["location: a\u{1}b"])
        #expect(try Self.texts(&decoder, Self.bytes("000161" + "03610162")) == ["a: a b"])
    }

    @Test("an invalid HPACK line stays in the table, and a header section has a size limit")
    func invalidLines() throws {
        var decoder = HPACKFieldDecoder(sectionLimit: 200)
        // A name in upper case, one with a space, an empty one, and a value with a line break.
        #expect(try Self.texts(&decoder, Self.bytes("4001410162")) == ["invalid name A"])
        #expect(try Self.texts(&decoder, Self.bytes("be")) == ["invalid name A"])
        #expect(try Self.texts(&decoder, Self.bytes("7e0163")) == ["invalid name A"])
        #expect(try Self.texts(&decoder, Self.bytes("0003612062" + "0163")) == ["invalid name a b"])
        #expect(try Self.texts(&decoder, Self.bytes("00000163")) == ["invalid name "])
        #expect(try Self.texts(&decoder, Self.bytes("000161" + "03620a63")) == ["invalid value of a"])
        #expect(try Self.texts(&decoder, Self.bytes("000161" + "03620063")) == ["invalid value of a"])
        // Spaces and tabs around a value, or alone; those within one are allowed (RFC 9113, section 8.2.1).
        for value in ["022062", "026220", "020962", "026209", "0120"] {
            #expect(try Self.texts(&decoder, Self.bytes("000161" + value)) == ["invalid value of a"], "\(value)")
        }
        #expect(try Self.texts(&decoder, Self.bytes("000161" + "03622063")) == ["a: b c"])
        #expect(try Self.texts(&decoder, Self.bytes("000161" + "00")) == ["a: "])
        let long = [0, 1, 0x61, 100] + [UInt8](repeating: 0x62, count: 100)
        #expect(try decoder.decode(ByteBuffer(bytes: long)).count == 1)
        #expect(throws: HPACKError.tooLarge) { try decoder.decode(ByteBuffer(bytes: long + long)) }
    }
}
#endif
