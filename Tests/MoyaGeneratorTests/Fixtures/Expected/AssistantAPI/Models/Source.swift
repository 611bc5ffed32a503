/// One of the types of `source`.
public enum Source: Codable, Hashable, Sendable {
    /// A value of the type `File`.
    case file(File)
    /// A value of the type `Link`.
    case link(Link)
    /// A value that the document does not describe.
    case unknown(JSONValue)

    /// Decodes a value.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if decoder.has("file"), let value = try? container.decode(File.self) {
            self = .file(value)
        } else if decoder.has("link"), let value = try? container.decode(Link.self) {
            self = .link(value)
        } else {
            self = .unknown(try container.decode(JSONValue.self))
        }
    }

    /// Encodes the value.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .file(let value): try container.encode(value)
        case .link(let value): try container.encode(value)
        case .unknown(let value): try container.encode(value)
        }
    }

    /// A file.
    public struct File: Codable, Hashable, Sendable {
        /// The value of `file`.
        public var file: String

        /// Creates a value.
        public init(file: String) {
            self.file = file
        }
    }

    /// A link.
    public struct Link: Codable, Hashable, Sendable {
        /// The value of `link`.
        public var link: String

        /// Creates a value.
        public init(link: String) {
            self.link = link
        }
    }
}
