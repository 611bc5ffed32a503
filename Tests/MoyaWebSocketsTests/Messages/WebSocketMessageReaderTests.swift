import Foundation
import Testing

@testable import MoyaWebSockets

@Suite("Messages are read from their parts")
struct WebSocketMessageReaderTests {
    private static func part(_ kind: WebSocketMessage.Kind?, _ bytes: [UInt8], ends: Bool, compressed: Bool = false)
        -> WebSocketPart
    {
        WebSocketPart(
            start: kind.map { .init(kind: $0, isCompressed: compressed) },
            payload: Data(bytes),
            endsMessage: ends
        )
    }

    private static func read(
        _ parts: [WebSocketPart],
        maximumSize: Int = 1_000,
        deflate: WebSocketDeflate? = nil
    ) throws -> [WebSocketMessage] {
        let reader = try WebSocketMessageReader(deflate)
        var collector = WebSocketMessageCollector(maximumSize: maximumSize)
        var messages: [WebSocketMessage] = []
        for part in parts {
            reader.push(part)
            while let event = try reader.next() {
                if let message = try collector.collect(event) { messages.append(message) }
            }
        }
        return messages
    }

    @Test(
        "parts become messages",
        arguments: [
            ([part(.text, [0x61], ends: true), part(.data, [1, 2], ends: true)], [.text("a"), .data(Data([1, 2]))]),
            ([part(.text, [], ends: true), part(.data, [], ends: true)], [.text(""), .data(Data())]),
            (
                [part(.text, [0xC3], ends: false), part(nil, [], ends: false), part(nil, [0xA9, 0x62], ends: true)],
                [.text("éb")]
            ),
            (
                [part(.data, [], ends: false), part(nil, [7], ends: false), part(nil, [], ends: true)],
                [.data(Data([7]))]
            ),
            // Bytes need not be UTF-8.
            ([part(.data, [0xFF], ends: false), part(nil, [0xC3], ends: true)], [.data(Data([0xFF, 0xC3]))]),
        ] as [([WebSocketPart], [WebSocketMessage])]
    )
    func messages(_ parts: [WebSocketPart], _ expected: [WebSocketMessage]) throws {
        #expect(try Self.read(parts) == expected)
    }

    @Test(
        "the announced size of a frame reserves memory, at most the limit, and a short frame none",
        arguments: [0, 2, 3, 500, Int.max]
    )
    func announcedSize(_ size: Int) throws {
        var first = Self.part(.data, [1, 2], ends: false)
        first.start?.frameSize = size
        let parts = [first, Self.part(nil, [3], ends: true), Self.part(.text, [0x61], ends: true)]
        #expect(try Self.read(parts) == [.data(Data([1, 2, 3])), .text("a")])
        #expect(throws: WebSocketError.messageTooLarge(limit: 2)) { try Self.read(parts, maximumSize: 2) }
    }

    @Test(
        "text that is not UTF-8 fails with the part that makes it invalid",
        arguments: [
            [part(.text, [0x61, 0xFF], ends: false)],
            [part(.text, [0xC3], ends: true)],
            [part(.text, [0xED], ends: false), part(nil, [0xA0], ends: false)],
            [part(.text, [0xC3], ends: false), part(nil, [], ends: true)],
            // "a", and then a byte that begins no character, compressed without compression
            [part(.text, [0x00, 0x02, 0x00, 0xFD, 0xFF, 0x61, 0xFF], ends: false, compressed: true)],
        ]
    )
    func invalidText(_ parts: [WebSocketPart]) throws {
        #expect(try Self.read(parts.dropLast(), deflate: WebSocketDeflate()).isEmpty)
        #expect(throws: WebSocketError.protocolViolation(.invalidUTF8)) {
            try Self.read(parts, deflate: WebSocketDeflate())
        }
    }

    @Test("the limit holds for the sum of the parts, and for each message")
    func limit() throws {
        let parts = [
            Self.part(.data, [1, 2, 3], ends: false), Self.part(nil, [4, 5], ends: true),
            Self.part(.data, [6], ends: true),
        ]
        #expect(try Self.read(parts, maximumSize: 5).map(\.bytes.count) == [5, 1])
        #expect(throws: WebSocketError.messageTooLarge(limit: 4)) { try Self.read(parts, maximumSize: 4) }
    }

    @Test("a message after one that was not read to its end has its own bytes only")
    func abandoned() throws {
        var collector = WebSocketMessageCollector(maximumSize: 3)
        #expect(try collector.collect(.began(.data, frameSize: 4)) == nil)
        #expect(try collector.collect(.bytes(Data([1, 2]))) == nil)
        #expect(throws: WebSocketError.messageTooLarge(limit: 3)) { try collector.collect(.bytes(Data([3, 4]))) }
        #expect(try collector.collect(.began(.text, frameSize: 1)) == nil)
        #expect(try collector.collect(.bytes(Data("a".utf8))) == nil)
        #expect(try collector.collect(.ended) == .text("a"))
    }

    @Test("a compressed and an uncompressed message may alternate")
    func alternation() throws {
        let hello: [UInt8] = [0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00]
        let messages = try Self.read(
            [
                Self.part(.text, hello, ends: true, compressed: true), Self.part(.text, [0x61], ends: true),
                Self.part(.text, [0xF2, 0x00], ends: false, compressed: true),
                Self.part(nil, [0x11, 0x00, 0x00], ends: true),
            ],
            deflate: WebSocketDeflate()
        )
        #expect(messages == [.text("Hello"), .text("a"), .text("Hello")])
    }
}
