/// One of the types of `string or string list`.
public enum StringOrStringList: Codable, Hashable, Sendable {
    /// A value of the type `[String]`.
    case strings([String])
    /// A value of the type `String`.
    case string(String)

    /// Decodes a value.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let value = try? container.decode([String].self) {
            self = .strings(value)
        } else {
            self = .string(try container.decode(String.self))
        }
    }

    /// Encodes the value.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .strings(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        }
    }
}
