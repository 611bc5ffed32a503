#if !canImport(Darwin)
/// The members of an object.
struct JSONKeyedDecodingContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: JSONValueDecoder

    var codingPath: [any CodingKey] { decoder.codingPath }

    var allKeys: [Key] { decoder.names.compactMap { Key(stringValue: $0) } }

    func contains(_ key: Key) -> Bool { decoder.member(key.stringValue) != nil }

    func decodeNil(forKey key: Key) throws -> Bool { decoder.isNull(at: try value(key)) }

    @inline(__always)
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try decoder.decode(type, at: value(key), key)
    }

    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        try valueIfPresent(type, key)
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type,
        forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try decoder.nested(at: value(key), key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder.nested(at: value(key), key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { decoder.superDecoder(forKey: _CodingKey.super) }

    func superDecoder(forKey key: Key) throws -> any Decoder { decoder.superDecoder(forKey: key) }

    // The default implementations throw.
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 {
        try decoder.decode(type, at: value(key), key)
    }
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 {
        try decoder.decode(type, at: value(key), key)
    }

    // The default implementations would look up the name three times.
    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? { try valueIfPresent(type, key) }
    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? { try valueIfPresent(type, key) }
    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? { try valueIfPresent(type, key) }
    func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? { try valueIfPresent(type, key) }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try valueIfPresent(type, key) }
    func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? { try valueIfPresent(type, key) }
    func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? { try valueIfPresent(type, key) }
    func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? { try valueIfPresent(type, key) }
    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? { try valueIfPresent(type, key) }
    func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? { try valueIfPresent(type, key) }
    func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? { try valueIfPresent(type, key) }
    func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? { try valueIfPresent(type, key) }
    func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? { try valueIfPresent(type, key) }
    func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? { try valueIfPresent(type, key) }

    @inline(__always)
    private func valueIfPresent<Value: Decodable>(_ type: Value.Type, _ key: Key) throws -> Value? {
        guard let value = decoder.member(key.stringValue), !decoder.isNull(at: value) else { return nil }
        return try decoder.decode(type, at: value, key)
    }

    /// Returns the index of a member's value.
    private func value(_ key: Key) throws -> Int {
        guard let value = decoder.member(key.stringValue) else {
            let problem = "No value associated with key \(key) (\"\(key.stringValue)\")."
            throw DecodingError.keyNotFound(key, .init(codingPath: codingPath, debugDescription: problem))
        }
        return value
    }
}

/// The elements of an array.
struct JSONUnkeyedDecodingContainer: UnkeyedDecodingContainer {
    private let decoder: JSONValueDecoder
    /// The index of the next element.
    private var next: Int
    /// The number of consumed elements.
    ///
    /// It exceeds the number of elements if optional elements were requested after the end.
    private(set) var currentIndex = 0

    init(decoder: JSONValueDecoder) {
        self.decoder = decoder
        next = decoder.index + 1
    }

    var codingPath: [any CodingKey] { decoder.codingPath }

    var count: Int? { decoder.count }

    var isAtEnd: Bool { currentIndex >= decoder.count }

    mutating func decodeNil() throws -> Bool {
        let isNull = decoder.isNull(at: try element(Never.self))
        if isNull { advance() }
        return isNull
    }

    @inline(__always)
    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try required(type) }

    mutating func decodeIfPresent<Value: Decodable>(_ type: Value.Type) throws -> Value? {
        try valueIfPresent(type)
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> {
        let container = try nested(KeyedDecodingContainer<NestedKey>.self).container(keyedBy: type)
        advance()
        return container
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let container = try nested((any UnkeyedDecodingContainer).self).unkeyedContainer()
        advance()
        return container
    }

    mutating func superDecoder() throws -> any Decoder {
        // Foundation throws a different error at the end.
        if isAtEnd { decoder.document.leaveToFoundation() }
        let element = try nested((any Decoder).self)
        advance()
        return element
    }

    // The default implementations throw.
    mutating func decode(_ type: Int128.Type) throws -> Int128 { try required(type) }
    mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try required(type) }

    // Unlike the default implementations, Foundation also counts requests after the end.
    mutating func decodeIfPresent(_ type: Bool.Type) throws -> Bool? { try valueIfPresent(type) }
    mutating func decodeIfPresent(_ type: String.Type) throws -> String? { try valueIfPresent(type) }
    mutating func decodeIfPresent(_ type: Double.Type) throws -> Double? { try valueIfPresent(type) }
    mutating func decodeIfPresent(_ type: Float.Type) throws -> Float? { try valueIfPresent(type) }
    mutating func decodeIfPresent(_ type: Int.Type) throws -> Int? { try valueIfPresent(type) }
    mutating func decodeIfPresent(_ type: Int8.Type) throws -> Int8? { try valueIfPresent(type) }
    mutating func decodeIfPresent(_ type: Int16.Type) throws -> Int16? { try valueIfPresent(type) }
    mutating func decodeIfPresent(_ type: Int32.Type) throws -> Int32? { try valueIfPresent(type) }
    mutating func decodeIfPresent(_ type: Int64.Type) throws -> Int64? { try valueIfPresent(type) }
    mutating func decodeIfPresent(_ type: UInt.Type) throws -> UInt? { try valueIfPresent(type) }
    mutating func decodeIfPresent(_ type: UInt8.Type) throws -> UInt8? { try valueIfPresent(type) }
    mutating func decodeIfPresent(_ type: UInt16.Type) throws -> UInt16? { try valueIfPresent(type) }
    mutating func decodeIfPresent(_ type: UInt32.Type) throws -> UInt32? { try valueIfPresent(type) }
    mutating func decodeIfPresent(_ type: UInt64.Type) throws -> UInt64? { try valueIfPresent(type) }

    @inline(__always)
    private mutating func required<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let value = try decoder.decode(type, at: element(type), _CodingKey.index(currentIndex))
        advance()
        return value
    }

    @inline(__always)
    private mutating func valueIfPresent<Value: Decodable>(_ type: Value.Type) throws -> Value? {
        let isPresent = !isAtEnd && !decoder.isNull(at: next)
        let value = isPresent ? try decoder.decode(type, at: next, _CodingKey.index(currentIndex)) : nil
        advance()
        return value
    }

    private func nested(_ type: Any.Type) throws -> JSONValueDecoder {
        decoder.nested(at: try element(type), _CodingKey.index(currentIndex))
    }

    private mutating func advance() {
        if !isAtEnd { next = decoder.document.end(of: next) }
        currentIndex += 1
    }

    /// Returns the index of the next element.
    private func element(_ type: Any.Type) throws -> Int {
        guard isAtEnd else { return next }
        let path = codingPath + [_CodingKey.index(currentIndex)]
        let context = DecodingError.Context(codingPath: path, debugDescription: "Unkeyed container is at end.")
        throw DecodingError.valueNotFound(type, context)
    }
}
#endif
