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
        if context.allowsContainer(at: next) { tree.append(.later(encoder)) }
        return encoder
    }

    private var next: FormPosition { position.appending(FormIndexKey(index: count)) }

    private func nested(isNamed: Bool) -> FormTree {
        let fresh = FormTree(isNamed: isNamed)
        if context.allowsContainer(at: next) { tree.append(.tree(fresh)) }
        return fresh
    }
}
