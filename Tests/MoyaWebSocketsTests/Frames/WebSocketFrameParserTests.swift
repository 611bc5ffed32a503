import Foundation
import Testing

@testable import MoyaWebSockets

@Suite("Frames are parsed (RFC 6455, section 5)")
struct WebSocketFrameParserTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let bytes: Data
        let events: [String]
        var error: WebSocketError?

        init(_ rule: String, _ bytes: [Data], _ events: [String], _ error: WebSocketError.Violation? = nil) {
            testDescription = rule
            self.bytes = bytes.reduce(Data(), +)
            self.events = events
            self.error = error.map { .protocolViolation($0) }
        }
    }

    private static func binary(_ count: Int) -> Data { Data(repeating: 0xAB, count: count) }

    private static func hex(_ count: Int) -> String { String(repeating: "ab.", count: count) }

    static let valid: [Row] = [
        Row("5.7: a text", [Frames.frame(0x81, "Hello".utf8)], ["text 48.65.6c.6c.6f."]),
        Row(
            "5.4: fragments of a text",
            [Frames.frame(0x01, "Hel".utf8), Frames.frame(0x80, "lo".utf8)],
            ["text 48.65.6c.6c.6f."]
        ),
        Row("5.5.2: a ping", [Frames.frame(0x89, "Hi".utf8)], ["ping 48.69."]),
        Row("5.5.3: a pong without a payload", [Frames.frame(0x8A)], ["pong "]),
        Row("5.5.1: a close frame", [Frames.frame(0x88, [0x03, 0xE8])], ["close 3.e8."]),
        Row("an empty text", [Frames.frame(0x81)], ["text "]),
        Row("an empty message in fragments", [Frames.frame(0x02), Frames.frame(0x00), Frames.frame(0x80)], ["data "]),
        Row(
            "5.4: control frames between fragments",
            [
                Frames.frame(0x02, [1]), Frames.frame(0x89, [9]), Frames.frame(0x00, [2]), Frames.frame(0x8A),
                Frames.frame(0x80, [3]),
            ],
            ["ping 9.", "pong ", "data 1.2.3."]
        ),
        Row(
            "lengths of 125, 126 and 127 bytes",
            [125, 126, 127].map { Frames.frame(0x82, binary($0)) },
            [125, 126, 127].map { "data \(hex($0))" }
        ),
        Row(
            "lengths around 64 KiB",
            [65_535, 65_536].map { Frames.frame(0x82, binary($0)) },
            [65_535, 65_536].map { "data \(hex($0))" }
        ),
        Row(
            "a length in more bytes than it needs",
            [Frames.frame(0x82, [1], lengthSize: 2), Frames.frame(0x82, [2], lengthSize: 8)],
            ["data 1.", "data 2."]
        ),
        Row("a control frame of 125 bytes", [Frames.frame(0x89, binary(125))], ["ping \(hex(125))"]),
    ]

    static let invalid: [Row] = [
        Row("5.2: RSV1 without compression", [Frames.frame(0xC1)], [], .reservedBits),
        Row("5.2: RSV2", [Frames.frame(0xA1)], [], .reservedBits),
        Row("5.2: RSV3", [Frames.frame(0x91)], [], .reservedBits),
        Row("5.2: RSV1 of a ping", [Frames.frame(0xC9)], [], .reservedBits),
        Row("5.2: opcode 3, after a message", [Frames.text("a"), Frames.frame(0x83)], ["text 61."], .unknownOpcode(3)),
        Row("5.2: opcode 7", [Frames.frame(0x87)], [], .unknownOpcode(7)),
        Row("5.2: opcode 11", [Frames.frame(0x8B)], [], .unknownOpcode(11)),
        Row("5.2: opcode 15", [Frames.frame(0x8F)], [], .unknownOpcode(15)),
        Row("5.5: a fragmented ping", [Frames.frame(0x09)], [], .fragmentedControlFrame),
        Row("5.5: a ping of 126 bytes", [Frames.frame(0x89, binary(126))], [], .longControlFrame),
        Row("5.5: a close frame of 64 KiB", [Frames.frame(0x88, binary(65_536))], [], .longControlFrame),
        Row("5.1: a masked frame of a server", [Frames.frame(0x81, [1], key: [1, 2, 3, 4])], [], .maskedFrame),
        Row("5.2: a length with the highest bit", [Data([0x82, 127, 0x80, 0, 0, 0, 0, 0, 0, 0])], [], .invalidLength),
        Row("5.4: a continuation without a message", [Frames.frame(0x80, [1])], [], .continuationWithoutMessage),
        Row(
            "5.4: a continuation after a message",
            [Frames.text("a"), Frames.frame(0x00)],
            ["text 61."],
            .continuationWithoutMessage
        ),
        Row("5.4: a text inside a message", [Frames.frame(0x01, [1]), Frames.text("a")], [], .messageInsideMessage),
        Row(
            "5.4: a ping, then a text, inside a message",
            [Frames.frame(0x01), Frames.frame(0x89), Frames.text("a")],
            ["ping "],
            .messageInsideMessage
        ),
    ]

    @Test("valid frames have the same events in chunks of any size", arguments: valid, [1, 2, 3, 7, 1_000, Int.max])
    func validFrames(_ row: Row, chunk: Int) {
        let (events, error) = Frames.parse(row.bytes, chunk: chunk)
        #expect(events.joined == row.events)
        #expect(error == nil)
    }

    @Test("invalid frames fail after the events before them", arguments: invalid, [1, 2, 5, Int.max])
    func invalidFrames(_ row: Row, chunk: Int) {
        let (events, error) = Frames.parse(row.bytes, chunk: chunk)
        #expect(events.joined == row.events)
        #expect(error == row.error)
    }

    @Test(
        "an invalid frame fails with its first byte, or its second one",
        arguments: [
            ([UInt8(0x83)], WebSocketError.Violation.unknownOpcode(3)), ([0xC1], .reservedBits),
            ([0x09], .fragmentedControlFrame),
            ([0x80], .continuationWithoutMessage), ([0x89, 126], .longControlFrame), ([0x81, 0x80], .maskedFrame),
        ]
    )
    func early(_ bytes: [UInt8], _ violation: WebSocketError.Violation) {
        #expect(Frames.parse(Data(bytes)).error == .protocolViolation(violation))
        #expect(Frames.parse(Data(bytes.dropLast())).error == nil)
    }

    @Test("an error is thrown again by each call, and pushed bytes are dropped")
    func errorIsFinal() {
        var parser = WebSocketFrameParser(from: .server)
        for _ in 0..<3 {
            parser.push(Frames.frame(0x83) + Frames.text("a"))
            #expect(throws: WebSocketError.protocolViolation(.unknownOpcode(3))) { try parser.next() }
        }
    }

    @Test("the payload of a frame is passed on as it arrives")
    func parts() throws {
        var parser = WebSocketFrameParser(from: .server)
        parser.push(Frames.frame(0x82, [1, 2, 3, 4]).prefix(4))
        #expect(
            try parser.next()
                == .data(
                    .init(
                        start: .init(kind: .data, isCompressed: false, frameSize: 4),
                        payload: Data([1, 2]),
                        endsMessage: false
                    )
                )
        )
        #expect(try parser.next() == nil)
        parser.push(Data([3]))
        #expect(try parser.next() == .data(.init(start: nil, payload: Data([3]), endsMessage: false)))
        parser.push(Data([4]))
        #expect(try parser.next() == .data(.init(start: nil, payload: Data([4]), endsMessage: true)))
        #expect(try parser.next() == nil)
    }

    @Test("the frames of a client must be masked, and are unmasked", arguments: [1, 2, 3, 4, 5, Int.max])
    func masked(chunk: Int) {
        let key: [UInt8] = [0x37, 0xFA, 0x21, 0x3D]
        let bytes =
            Frames.frame(0x01, "Hello, ".utf8, key: key) + Frames.frame(0x89, [1, 2, 3], key: [9, 8, 7, 6])
            + Frames.frame(0x80, "world".utf8, key: [0, 1, 0, 1])
        let (events, error) = Frames.parse(bytes, chunk: chunk, with: WebSocketFrameParser(from: .client))
        #expect(events.joined == ["ping 1.2.3.", "text 48.65.6c.6c.6f.2c.20.77.6f.72.6c.64."])
        #expect(error == nil)
        let unmasked = Frames.parse(Frames.text("a"), chunk: chunk, with: WebSocketFrameParser(from: .client))
        #expect(unmasked.error == .protocolViolation(.unmaskedFrame))
    }

    @Test(
        "RSV1 marks the first frame of a compressed message only (RFC 7692, section 6)",
        arguments: [
            Row("a text", [Frames.frame(0xC1, [1])], ["text compressed 1."]),
            Row("the first fragment", [Frames.frame(0x42, [1]), Frames.frame(0x80, [2])], ["data compressed 1.2."]),
            Row("a message without compression", [Frames.frame(0x82, [1])], ["data 1."]),
            Row("a continuation", [Frames.frame(0x42, [1]), Frames.frame(0xC0, [2])], [], .reservedBits),
            Row("a ping", [Frames.frame(0xC9)], [], .reservedBits),
            Row("RSV1 and RSV2", [Frames.frame(0xE1)], [], .reservedBits),
        ]
    )
    func compressed(_ row: Row) {
        let (events, error) = Frames.parse(
            row.bytes,
            with: WebSocketFrameParser(from: .server, allowsCompression: true)
        )
        #expect(events.joined == row.events)
        #expect(error == row.error)
    }

    @Test("a frame above the limit fails with its header, and one at the limit does not")
    func limit() {
        let parser = WebSocketFrameParser(from: .server, maximumFrameSize: 300)
        #expect(Frames.parse(Frames.frame(0x82, Self.binary(300)), with: parser).error == nil)
        let tooLarge = Frames.frame(0x82, Self.binary(301))
        #expect(Frames.parse(tooLarge.prefix(4), with: parser).error == .frameTooLarge(limit: 300))
        #expect(Frames.parse(tooLarge.prefix(3), with: parser).error == nil)
    }
}
