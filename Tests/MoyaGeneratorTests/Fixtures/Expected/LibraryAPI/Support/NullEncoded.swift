/// A required member whose `nil` is sent as `null`.
@propertyWrapper
struct NullEncoded<Value: Codable & Hashable & Sendable>: Codable, Hashable, Sendable {
    /// The value.
    var wrappedValue: Value?

    /// Wraps a value.
    init(wrappedValue: Value?) { self.wrappedValue = wrappedValue }

    /// Decodes a value.
    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        wrappedValue = container.decodeNil() ? nil : try container.decode(Value.self)
    }

    /// Encodes the value.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(wrappedValue)
    }
}

extension KeyedDecodingContainer {
    /// Decodes a member, which a server may leave out although its document requires it.
    func decode<Value>(_ type: NullEncoded<Value>.Type, forKey key: Key) throws -> NullEncoded<Value> {
        NullEncoded(wrappedValue: try decodeIfPresent(Value.self, forKey: key))
    }
}
