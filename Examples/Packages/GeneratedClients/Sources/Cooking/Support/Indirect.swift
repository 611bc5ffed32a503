/// Stores a value in an object, because the value may contain one of the same type.
@propertyWrapper
struct Indirect<Value: Codable & Hashable & Sendable>: Codable, Hashable, Sendable {
    private final class Storage: Sendable {
        let value: Value

        init(_ value: Value) { self.value = value }
    }

    private var storage: Storage

    /// The value.
    var wrappedValue: Value {
        get { storage.value }
        set { storage = Storage(newValue) }
    }

    /// Wraps a value.
    init(wrappedValue: Value) { storage = Storage(wrappedValue) }

    /// Decodes a value.
    init(from decoder: any Decoder) throws {
        storage = Storage(try Value(from: decoder))
    }

    /// Encodes the value.
    func encode(to encoder: any Encoder) throws { try wrappedValue.encode(to: encoder) }

    /// Returns whether two values are equal.
    static func == (lhs: Indirect, rhs: Indirect) -> Bool { lhs.wrappedValue == rhs.wrappedValue }

    /// Hashes the value.
    func hash(into hasher: inout Hasher) { hasher.combine(wrappedValue) }
}

extension KeyedDecodingContainer {
    /// Decodes a member that may be missing.
    ///
    /// The code that the compiler writes for `Codable` finds this function.
    func decode<Value>(_ type: Indirect<Value?>.Type, forKey key: Key) throws -> Indirect<Value?> {
        Indirect(wrappedValue: try decodeIfPresent(Value.self, forKey: key))
    }
}

extension KeyedEncodingContainer {
    /// Encodes a member that may be missing.
    mutating func encode<Value>(_ value: Indirect<Value?>, forKey key: Key) throws {
        try encodeIfPresent(value.wrappedValue, forKey: key)
    }
}
