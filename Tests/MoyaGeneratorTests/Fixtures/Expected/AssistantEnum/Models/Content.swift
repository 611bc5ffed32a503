import Foundation

enum Content: Codable, Hashable, Sendable {
    case text(Text)
    case image(Image)
    /// A value that the document does not describe.
    case unknown(JSONValue)

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        switch try decoder.text(of: "type") {
        case "text": self = .text(try container.decode(Text.self))
        case "image": self = .image(try container.decode(Image.self))
        default: self = .unknown(try container.decode(JSONValue.self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .text(let value): try container.encode(value)
        case .image(let value): try container.encode(value)
        case .unknown(let value): try container.encode(value)
        }
    }

    struct Text: Codable, Hashable, Sendable {
        var type: String = "text"
        var text: String
    }

    struct Image: Codable, Hashable, Sendable {
        var type: String = "image"
        var url: URL
    }
}
