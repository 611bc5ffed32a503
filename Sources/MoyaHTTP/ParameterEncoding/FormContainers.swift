/// A container for values by name.
///
/// The generic `encode` is used for all types.
struct FormKeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let tree: FormTree
    let context: FormContext
    let position: FormPosition
    let keysAreData: Bool

    var codingPath: [any CodingKey] { position.codingPath }

    mutating func encodeNil(forKey key: Key) throws { set(.null, for: key) }

    mutating func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
        set(try context.value(of: value, at: position.appending(key)), for: key)
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type,
        forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        KeyedEncodingContainer(
            FormKeyedContainer<NestedKey>(
                tree: nested(isNamed: true, key),
                context: context,
                position: position.appending(key),
                keysAreData: false
            )
        )
    }

    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        FormUnkeyedContainer(tree: nested(isNamed: false, key), context: context, position: position.appending(key))
    }

    mutating func superEncoder() -> any Encoder { superEncoder(for: FormIndexKey.super) }

    mutating func superEncoder(forKey key: Key) -> any Encoder { superEncoder(for: key) }

    private func superEncoder(for key: any CodingKey) -> any Encoder {
        let encoder = FormEncoder(context: context, position: position.appending(key))
        if context.canOpenContainer(at: position.appending(key)) { set(.later(encoder), for: key) }
        return encoder
    }

    /// Returns the tree for a key, which is the same each time.
    private func nested(isNamed: Bool, _ key: Key) -> FormTree {
        if case .tree(let tree) = tree[key.stringValue], tree.isNamed == isNamed { return tree }
        let fresh = FormTree(isNamed: isNamed)
        if context.canOpenContainer(at: position.appending(key)) { set(.tree(fresh), for: key) }
        return fresh
    }

    private func set(_ value: FormValue, for key: any CodingKey) {
        let name = key.stringValue
        tree.set(value, for: name, name: keysAreData ? name : context.options.keyEncoding.name(for: name))
    }
}

// By default a missing value is not encoded at all, so nilEncoding would have no effect. A generic method is not
// sufficient: the default implementations for these types are preferred to it.
extension FormKeyedContainer {
    mutating func encodeIfPresent<T: Encodable>(_ value: T?, forKey key: Key) throws { try encodeOrNil(value, key) }
    mutating func encodeIfPresent(_ value: Bool?, forKey key: Key) throws { try encodeOrNil(value, key) }
    mutating func encodeIfPresent(_ value: String?, forKey key: Key) throws { try encodeOrNil(value, key) }
    mutating func encodeIfPresent(_ value: Double?, forKey key: Key) throws { try encodeOrNil(value, key) }
    mutating func encodeIfPresent(_ value: Float?, forKey key: Key) throws { try encodeOrNil(value, key) }
    mutating func encodeIfPresent(_ value: Int?, forKey key: Key) throws { try encodeOrNil(value, key) }
    mutating func encodeIfPresent(_ value: Int8?, forKey key: Key) throws { try encodeOrNil(value, key) }
    mutating func encodeIfPresent(_ value: Int16?, forKey key: Key) throws { try encodeOrNil(value, key) }
    mutating func encodeIfPresent(_ value: Int32?, forKey key: Key) throws { try encodeOrNil(value, key) }
    mutating func encodeIfPresent(_ value: Int64?, forKey key: Key) throws { try encodeOrNil(value, key) }
    mutating func encodeIfPresent(_ value: UInt?, forKey key: Key) throws { try encodeOrNil(value, key) }
    mutating func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws { try encodeOrNil(value, key) }
    mutating func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws { try encodeOrNil(value, key) }
    mutating func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws { try encodeOrNil(value, key) }
    mutating func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws { try encodeOrNil(value, key) }

    mutating func encodeOrNil<T: Encodable>(_ value: T?, _ key: Key) throws {
        if let value { try encode(value, forKey: key) } else { try encodeNil(forKey: key) }
    }
}

/// A container for a list of values.
struct FormUnkeyedContainer: UnkeyedEncodingContainer {
    let tree: FormTree
    let context: FormContext
    let position: FormPosition

    var codingPath: [any CodingKey] { position.codingPath }
    var count: Int { tree.children.count }

    mutating func encodeNil() throws { tree.append(.null) }

    mutating func encode<T: Encodable>(_ value: T) throws { try append(value) }

    func append(_ value: some Encodable) throws { tree.append(try context.value(of: value, at: next)) }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type
    ) -> KeyedEncodingContainer<NestedKey> {
        let position = next
        return KeyedEncodingContainer(
            FormKeyedContainer<NestedKey>(
                tree: nested(isNamed: true),
                context: context,
                position: position,
                keysAreData: false
            )
        )
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        let position = next
        return FormUnkeyedContainer(tree: nested(isNamed: false), context: context, position: position)
    }

    mutating func superEncoder() -> any Encoder {
        let encoder = FormEncoder(context: context, position: next)
        if context.canOpenContainer(at: next) { tree.append(.later(encoder)) }
        return encoder
    }

    private var next: FormPosition { position.appending(FormIndexKey(index: count)) }

    private func nested(isNamed: Bool) -> FormTree {
        let fresh = FormTree(isNamed: isNamed)
        if context.canOpenContainer(at: next) { tree.append(.tree(fresh)) }
        return fresh
    }
}

// The default implementations for these types throw, and are preferred to the generic methods.

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension FormKeyedContainer {
    mutating func encode(_ value: Int128, forKey key: Key) throws { try encodeOrNil(value, key) }
    mutating func encode(_ value: UInt128, forKey key: Key) throws { try encodeOrNil(value, key) }
    mutating func encodeIfPresent(_ value: Int128?, forKey key: Key) throws { try encodeOrNil(value, key) }
    mutating func encodeIfPresent(_ value: UInt128?, forKey key: Key) throws { try encodeOrNil(value, key) }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension FormUnkeyedContainer {
    mutating func encode(_ value: Int128) throws { try append(value) }
    mutating func encode(_ value: UInt128) throws { try append(value) }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension FormSingleValueContainer {
    mutating func encode(_ value: Int128) throws { try setValue(value) }
    mutating func encode(_ value: UInt128) throws { try setValue(value) }
}
