import Foundation

/// A message of a WebSocket (RFC 6455, section 5.6).
public enum WebSocketMessage: Hashable, Sendable {
    /// A text, which is sent in UTF-8.
    case text(String)
    /// Bytes.
    case data(Data)

    /// The kind of a message.
    public enum Kind: Hashable, Sendable {
        /// Text in UTF-8.
        case text
        /// Bytes.
        case data
    }

    /// The kind of the message.
    public var kind: Kind {
        switch self {
        case .text: .text
        case .data: .data
        }
    }

    /// The text, if the message is one.
    public var text: String? { if case .text(let text) = self { text } else { nil } }

    /// The bytes of the message; those of a text are its UTF-8.
    public var bytes: Data {
        switch self {
        case .text(let text): Data(text.utf8)
        case .data(let data): data
        }
    }
}
