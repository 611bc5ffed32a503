import Foundation

@testable import MoyaWebSockets

/// Frames as bytes, which a test writes independently of the code under test.
enum Frames {
    /// Returns a frame.
    ///
    /// - Parameters:
    ///   - first: The first byte: the final bit, the reserved bits and the opcode.
    ///   - payload: The payload.
    ///   - key: The masking key; the frame is not masked without one.
    ///   - lengthSize: The number of bytes of the extended length; `nil` for the smallest.
    /// - Returns: The bytes.
    static func frame(
        _ first: UInt8,
        _ payload: some Collection<UInt8> = [],
        key: [UInt8]? = nil,
        lengthSize: Int? = nil
    ) -> Data {
        let size = lengthSize ?? (payload.count < 126 ? 0 : payload.count < 65_536 ? 2 : 8)
        let short = size == 0 ? payload.count : size == 2 ? 126 : 127
        var bytes = [first, UInt8(short) | (key == nil ? 0 : 0x80)]
        for index in (0..<size).reversed() { bytes.append(UInt8(truncatingIfNeeded: payload.count >> (8 * index))) }
        guard let key else { return Data(bytes + payload) }
        return Data(bytes + key + payload.enumerated().map { $1 ^ key[$0 % 4] })
    }

    static func text(_ text: String) -> Data { frame(0x81, Array(text.utf8)) }

    /// Pushes bytes into a parser in chunks, and returns its events, and its error as text.
    static func parse(
        _ bytes: Data,
        chunk: Int = .max,
        with parser: WebSocketFrameParser = WebSocketFrameParser(from: .server)
    ) -> (events: [WebSocketFrameParser.Event], error: WebSocketError?) {
        var parser = parser
        var events: [WebSocketFrameParser.Event] = []
        var rest = bytes
        do throws(WebSocketError) {
            while !rest.isEmpty {
                parser.push(rest.prefix(chunk))
                rest = rest.dropFirst(chunk)
                while let event = try parser.next() { events.append(event) }
            }
        } catch {
            return (events, error)
        }
        return (events, nil)
    }
}

extension [WebSocketFrameParser.Event] {
    /// The events with the parts of each message joined, as they are for a message in one chunk.
    var joined: [String] {
        var texts: [String] = []
        var message = ""
        for event in self {
            switch event {
            case .data(let part):
                if let start = part.start { message = "\(start.kind)\(start.isCompressed ? " compressed" : "") " }
                message += part.payload.map { String($0, radix: 16) + "." }.joined()
                if part.endsMessage { texts.append(message) }
            case .control(let opcode, let payload):
                texts.append("\(opcode) \(payload.map { String($0, radix: 16) + "." }.joined())")
            }
        }
        return texts
    }
}
