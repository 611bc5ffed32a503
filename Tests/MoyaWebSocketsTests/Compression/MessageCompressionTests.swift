import Foundation
import Testing

@testable import MoyaWebSockets

@Suite("Messages are compressed and decompressed (RFC 7692, section 7.2)")
struct MessageCompressionTests {
    /// Compresses messages with one compressor, each in pieces of a size.
    private static func compress(
        _ messages: [Data],
        bits: Int = 15,
        resets: Bool = false,
        piece: Int = .max
    ) throws -> [Data] {
        let deflater = try MessageDeflater(windowBits: bits, resetsAfterMessage: resets, level: nil)
        return try messages.map { message in
            var output = Data()
            var rest = message
            repeat {
                let part = Data(rest.prefix(piece))
                rest = rest.dropFirst(part.count)
                try part.withUnsafeBytes { part in
                    try deflater.compress(part, endsMessage: rest.isEmpty) { output.append(contentsOf: $0) }
                }
            } while !rest.isEmpty
            return output
        }
    }

    /// Decompresses messages with one decompressor, each in parts of a size.
    private static func decompress(
        _ messages: [Data],
        bits: Int = 15,
        resets: Bool = false,
        part: Int = .max
    ) throws -> [Data] {
        let inflater = try MessageInflater(windowBits: bits, resetsAfterMessage: resets)
        return try messages.map { message in
            var output = Data()
            var rest = message
            repeat {
                inflater.push(Data(rest.prefix(part)), endsMessage: rest.count <= part)
                rest = rest.dropFirst(part)
                while let piece = try inflater.next() {
                    #expect(piece.count <= 65_536)
                    output.append(piece)
                }
            } while !rest.isEmpty
            return output
        }
    }

    private static let hello = Data("Hello".utf8)

    @Test(
        "the examples of sections 7.2.3.1 to 7.2.3.6 are decompressed",
        arguments: [
            ([[0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00]], [hello]),
            ([[0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00], [0xF2, 0x00, 0x11, 0x00, 0x00]], [hello, hello]),
            ([[0x00, 0x05, 0x00, 0xFA, 0xFF, 0x48, 0x65, 0x6C, 0x6C, 0x6F, 0x00]], [hello]),
            ([[0xF3, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00, 0x00]], [hello]),
            ([[0xF2, 0x48, 0x05, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xCA, 0xC9, 0xC9, 0x07, 0x00]], [hello]),
            ([[0x00]], [Data()]),
            // A block that is final, and a reference to it in the next message.
            ([[0xF3, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00, 0x00], [0xF2, 0x00, 0x11, 0x00, 0x00]], [hello, hello]),
        ] as [([[UInt8]], [Data])]
    )
    func examples(_ messages: [[UInt8]], _ expected: [Data]) throws {
        for part in [1, 2, 3, .max] {
            #expect(try Self.decompress(messages.map { Data($0) }, part: part) == expected)
        }
    }

    @Test("a message of five bytes is compressed as in section 7.2.3.1, and smaller with context takeover")
    func compressedExamples() throws {
        let message = Data([0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00])
        #expect(try Self.compress([Self.hello, Self.hello], resets: true) == [message, message])
        #expect(try Self.compress([Self.hello, Self.hello]) == [message, Data([0xF2, 0x00, 0x11, 0x00, 0x00])])
        #expect(try Self.compress([Data(), Data()]).allSatisfy { $0 == Data([0]) })
    }

    private static let messages: [Data] = {
        var generator = SystemRandomNumberGenerator()
        let random = Data((0..<200_000).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
        let text = Data((0..<20_000).map { "line \($0 * 7919 % 1000) " }.joined().utf8)
        return [hello, Data(), text, random, Data(count: 1_000_000), text.prefix(1000), hello, Data()]
    }()

    @Test(
        "messages are the same after both, with each window and in pieces of any size",
        arguments: 9...15,
        [false, true]
    )
    func roundTrip(bits: Int, resets: Bool) throws {
        for size in [1000, 65_536, .max] {
            let compressed = try Self.compress(Self.messages, bits: bits, resets: resets, piece: size)
            #expect(compressed.allSatisfy { !$0.isEmpty })
            #expect(try Self.decompress(compressed, bits: bits, resets: resets, part: size) == Self.messages)
        }
    }

    @Test(
        "with context takeover, a repeated message is small; without it, a reference to the message before is invalid"
    )
    func contextTakeover() throws {
        var generator = SystemRandomNumberGenerator()
        let random = Data((0..<10_000).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
        let compressed = try Self.compress([random, random])
        #expect(compressed[1].count < 200)
        #expect(throws: WebSocketError.protocolViolation(.invalidCompression)) {
            try Self.decompress(compressed, resets: true)
        }
    }

    @Test(
        "invalid data fails",
        arguments: [[0xFF, 0xFF], [0x07, 0x00], [0x00, 0x05, 0x00, 0x00, 0x00]] as [[UInt8]]
    )
    func invalid(_ bytes: [UInt8]) {
        #expect(throws: WebSocketError.protocolViolation(.invalidCompression)) { try Self.decompress([Data(bytes)]) }
    }

    @Test("a bomb is decompressed piece by piece")
    func bomb() throws {
        let bomb = try Self.compress([Data(count: 50_000_000)])[0]
        #expect(bomb.count < 60_000)
        let reader = try WebSocketMessageReader(WebSocketDeflate())
        var collector = WebSocketMessageCollector(maximumSize: 200_000)
        reader.push(WebSocketPart(start: .init(kind: .data, isCompressed: true), payload: bomb, endsMessage: true))
        var events = 0
        #expect(throws: WebSocketError.messageTooLarge(limit: 200_000)) {
            while let event = try reader.next() {
                events += 1
                _ = try collector.collect(event)
            }
        }
        // The beginning, and four pieces of 64 KiB.
        #expect(events == 5)
    }
}
