import Foundation
import MoyaHTTP

extension HAR {
    /// A message of a WebSocket, in the form of Chrome's `_webSocketMessages`.
    public struct WebSocketMessage: Hashable, Sendable {
        /// The side that has sent the message.
        public enum Sender: String, Codable, Hashable, Sendable {
            /// The client.
            case client = "send"
            /// The server.
            case server = "receive"
        }

        /// The side that has sent the message.
        public var sender: Sender
        /// The time at which it was sent or received.
        public var time: Date
        /// The opcode of RFC 6455: 1 for a text, 2 for bytes, and 8 for a close frame, which Chrome does not record.
        public var opcode: Int
        /// The text, or other content in Base64.
        public var data: String

        /// Creates a message.
        public init(sender: Sender, time: Date, opcode: Int, data: String) {
            (self.sender, self.time, self.opcode, self.data) = (sender, time, opcode, data)
        }

        /// The opcode of a text, whose data is not in Base64.
        static let textOpcode = 1
        /// The opcode of a close frame.
        static let closeOpcode = 8

        /// The content in bytes; `nil` for invalid Base64.
        public var bytes: Data? {
            opcode == Self.textOpcode ? Data(data.utf8) : Data(lenientBase64: data)
        }

        /// The message; `nil` for other opcodes, and for invalid Base64.
        package var message: MessageOfWebSocket? {
            switch opcode {
            case Self.textOpcode: .text(data)
            case 2: bytes.map { .data($0) }
            default: nil
            }
        }

        /// The closure of a close frame; `nil` for other opcodes, and for an invalid payload.
        package var closure: WebSocketClosure? {
            guard opcode == Self.closeOpcode, let bytes else { return nil }
            return try? WebSocketClosure(payload: bytes)
        }
    }
}

/// The type of the library, whose name the structure hides in an archive.
package typealias MessageOfWebSocket = WebSocketMessage

extension HAR.WebSocketMessage: Codable {
    enum CodingKeys: String, CodingKey, CaseIterable {
        case type, time, opcode, data
    }

    /// Decodes a message.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        sender = try container.decode(Sender.self, forKey: .type)
        time = Date(timeIntervalSince1970: try container.number(.time) ?? 0)
        opcode = Int(clamping: try container.integer(.opcode) ?? 1)
        data = try container.text(.data) ?? ""
    }

    /// Encodes the message.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(sender, forKey: .type)
        try container.encode((time.timeIntervalSince1970 * 1000).rounded() / 1000, forKey: .time)
        try container.encode(opcode, forKey: .opcode)
        try container.encode(data, forKey: .data)
    }
}
