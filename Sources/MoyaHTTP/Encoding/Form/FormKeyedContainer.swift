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
        if context.allowsContainer(at: position.appending(key)) { set(.later(encoder), for: key) }
        return encoder
    }

    /// Returns the tree for a key; the same one each time.
    private func nested(isNamed: Bool, _ key: Key) -> FormTree {
        if case .tree(let tree) = tree[key.stringValue], tree.isNamed == isNamed { return tree }
        let fresh = FormTree(isNamed: isNamed)
        if context.allowsContainer(at: position.appending(key)) { set(.tree(fresh), for: key) }
        return fresh
    }

    private func set(_ value: FormValue, for key: any CodingKey) {
        let name = key.stringValue
        tree.set(value, for: name, name: keysAreData ? name : context.options.keyEncoding.name(for: name))
    }
}
