enum Source: Codable, Hashable, Sendable {
    case file(File)
    case link(Link)
    /// A value that the document does not describe.
    case unknown(JSONValue)

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if decoder.has("file"), let value = try? container.decode(File.self) {
            self = .file(value)
        } else if decoder.has("link"), let value = try? container.decode(Link.self) {
            self = .link(value)
        } else {
            self = .unknown(try container.decode(JSONValue.self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .file(let value): try container.encode(value)
        case .link(let value): try container.encode(value)
        case .unknown(let value): try container.encode(value)
        }
    }

    struct File: Codable, Hashable, Sendable {
        var file: String
    }

    struct Link: Codable, Hashable, Sendable {
        var link: String
    }
}
