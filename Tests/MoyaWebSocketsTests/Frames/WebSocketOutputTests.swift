import Foundation
import Testing

@testable import MoyaWebSockets

@Suite("Frames to send are whole and masked")
struct WebSocketOutputTests {
    /// Sends a data frame.
    @discardableResult
    private static func send(_ payload: [UInt8], in output: inout WebSocketOutput, opcode: WebSocketOpcode = .binary)
        -> Bool
    {
        guard output.beginFrame(opcode, payloadLength: payload.count, isFinal: true) else { return false }
        payload.withUnsafeBytes { output.append($0) }
        return true
    }

    private static func taken(_ output: inout WebSocketOutput) -> [String] {
        let bytes = output.take() ?? Data()
        let (events, error) = Frames.parse(bytes, with: WebSocketFrameParser(from: .client, allowsCompression: true))
        #expect(error == nil)
        return events.joined
    }

    @Test("frames have the shortest header", arguments: [0, 1, 125, 126, 65_535, 65_536])
    func headers(_ count: Int) {
        var output = WebSocketOutput(.server, limit: 1)
        Self.send([UInt8](repeating: 7, count: count), in: &output)
        let bytes = output.take()
        #expect(bytes == Frames.frame(0x82, [UInt8](repeating: 7, count: count)))
    }

    @Test("the frames of a client are masked with another key each")
    func masks() {
        var output = WebSocketOutput(.client, limit: 1)
        for _ in 0..<50 { Self.send([0, 0, 0, 0], in: &output) }
        let bytes = output.take() ?? Data()
        #expect(bytes.count == 50 * 10)
        #expect(
            Frames.parse(bytes, with: WebSocketFrameParser(from: .client)).events.joined
                == Array(repeating: "data 0.0.0.0.", count: 50)
        )
        let keys = stride(from: 0, to: bytes.count, by: 10).map { Array(bytes[$0 + 2..<$0 + 6]) }
        #expect(Set(keys).count > 45)
    }

    @Test("control frames wait for the end of a data frame")
    func order() {
        var output = WebSocketOutput(.client, limit: 1_000)
        let hasBegun = output.beginFrame(.text, payloadLength: 3, isFinal: false, isCompressed: true)
        #expect(hasBegun)
        #expect(output.isInFrame)
        Array("ab".utf8).withUnsafeBytes { output.append($0) }
        output.sendPing(Data([1]))
        output.sendPong(Data([2]))
        output.sendPong(Data([3]))
        let hasBegunInside = output.beginFrame(.text, payloadLength: 1, isFinal: true)
        #expect(!hasBegunInside)
        Array("cd".utf8).withUnsafeBytes { output.append($0) }
        #expect(!output.isInFrame)
        let hasContinued = output.beginFrame(.continuation, payloadLength: 0, isFinal: true)
        #expect(hasContinued)
        #expect(Self.taken(&output) == ["ping 1.", "pong 3.", "text compressed 61.62.63."])
    }

    @Test("nothing follows a close frame")
    func close() {
        var output = WebSocketOutput(.client, limit: 1_000)
        _ = output.beginFrame(.binary, payloadLength: 1, isFinal: true)
        output.sendClose(WebSocketClosure(.normal, reason: "a"))
        output.sendPing(Data())
        output.sendClose(WebSocketClosure(.goingAway))
        #expect(!output.isClosed)
        [UInt8(9)].withUnsafeBytes { output.append($0) }
        #expect(output.isClosed)
        output.sendPong(Data())
        #expect(!Self.send([1], in: &output))
        #expect(Self.taken(&output) == ["data 9.", "close 3.e8.61."])
        let rest = output.take()
        #expect(rest == nil)
    }

    @Test("without room, only the last pong is kept, and sent when there is room or before a close frame")
    func pongs() {
        var output = WebSocketOutput(.client, limit: 10)
        #expect(output.hasRoom)
        Self.send([1, 2, 3, 4], in: &output)
        #expect(!output.hasRoom)
        for byte in UInt8(0)..<200 { output.sendPong(Data([byte])) }
        #expect(output.count == 10)
        #expect(Self.taken(&output) == ["data 1.2.3.4."])
        #expect(Self.taken(&output) == ["pong c7."])
        Self.send([1, 2, 3, 4], in: &output)
        output.sendPong(Data([1]))
        output.sendClose(WebSocketClosure(.noStatus))
        #expect(Self.taken(&output) == ["data 1.2.3.4.", "pong 1.", "close "])
    }
}
