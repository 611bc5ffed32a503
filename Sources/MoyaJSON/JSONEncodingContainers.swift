#if !canImport(Darwin)
/// The members of an object that is written.
struct JSONKeyedEncodingContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: JSONValueEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }

    func encodeNil(forKey key: Key) {
        encoder.beginMember(key.stringValue)
        encoder.writeNull()
    }

    @inline(__always)
    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        try encoder.writeMember(value, key.stringValue)
    }

    // The default implementations throw.
    func encode(_ value: Int128, forKey key: Key) throws { try encoder.writeMember(value, key.stringValue) }
    func encode(_ value: UInt128, forKey key: Key) throws { try encoder.writeMember(value, key.stringValue) }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type,
        forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        encoder.beginMember(key.stringValue)
        return encoder.nested().container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        encoder.beginMember(key.stringValue)
        return encoder.nested().unkeyedContainer()
    }

    func superEncoder() -> any Encoder { encoder.superEncoder() }

    func superEncoder(forKey key: Key) -> any Encoder { encoder.superEncoder() }
}

/// The elements of an array that is written.
struct JSONUnkeyedEncodingContainer: UnkeyedEncodingContainer {
    let encoder: JSONValueEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }

    var count: Int { encoder.count }

    func encodeNil() {
        encoder.beginElement()
        encoder.writeNull()
    }

    @inline(__always)
    func encode<Value: Encodable>(_ value: Value) throws { try encoder.writeElement(value) }

    // The default implementations throw.
    func encode(_ value: Int128) throws { try encoder.writeElement(value) }
    func encode(_ value: UInt128) throws { try encoder.writeElement(value) }

    func nestedContainer<NestedKey: CodingKey>(keyedBy type: NestedKey.Type) -> KeyedEncodingContainer<NestedKey> {
        encoder.beginElement()
        return encoder.nested().container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        encoder.beginElement()
        return encoder.nested().unkeyedContainer()
    }

    func superEncoder() -> any Encoder { encoder.superEncoder() }
}
#endif
