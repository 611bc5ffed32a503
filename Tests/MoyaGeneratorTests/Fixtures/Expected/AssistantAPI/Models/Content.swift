import Foundation

/// One of the types of `content`.
public enum Content: Codable, Hashable, Sendable {
    /// A value of the type `Text`.
    case text(Text)
    /// A value of the type `Image`.
    case image(Image)
    /// A value that the document does not describe.
    case unknown(JSONValue)

    /// Decodes a value.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        switch try decoder.text(of: "type") {
        case "text": self = .text(try container.decode(Text.self))
        case "image": self = .image(try container.decode(Image.self))
        default: self = .unknown(try container.decode(JSONValue.self))
        }
    }

    /// Encodes the value.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .text(let value): try container.encode(value)
        case .image(let value): try container.encode(value)
        case .unknown(let value): try container.encode(value)
        }
    }

    /// A text.
    public struct Text: Codable, Hashable, Sendable {
        /// The value of `type`.
        public var type: String = "text"
        /// The value of `text`.
        public var text: String

        /// Creates a value.
        public init(type: String = "text", text: String) {
            self.type = type
            self.text = text
        }
    }

    /// An image.
    public struct Image: Codable, Hashable, Sendable {
        /// The value of `type`.
        public var type: String = "image"
        /// The value of `url`.
        public var url: URL

        /// Creates a value.
        public init(type: String = "image", url: URL) {
            self.type = type
            self.url = url
        }
    }
}
