/// A value that is sent, or `null`, which removes the value at the server.
///
/// A member that is `nil` is not sent.
enum Nullable<Value: Codable & Hashable & Sendable>: Codable, Hashable, Sendable {
    /// The value `null`.
    case null
    /// A value.
    case value(Value)

    /// Decodes a value.
    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        self = container.decodeNil() ? .null : .value(try container.decode(Value.self))
    }

    /// Encodes the value.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .value(let value): try container.encode(value)
        }
    }
}

extension KeyedDecodingContainer {
    /// Decodes a member, and keeps `null` apart from a missing member.
    ///
    /// The code that the compiler writes for `Codable` finds this function.
    func decodeIfPresent<Value>(_ type: Nullable<Value>.Type, forKey key: Key) throws -> Nullable<Value>? {
        contains(key) ? try decode(type, forKey: key) : nil
    }
}
