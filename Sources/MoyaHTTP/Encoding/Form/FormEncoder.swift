/// The encoder that is passed to a value's `encode(to:)`.
final class FormEncoder: Encoder {
    /// The encoded form of the value.
    fileprivate(set) var value = FormValue.nothing
    private let context: FormContext
    private let position: FormPosition
    private let keysAreData: Bool

    init(context: FormContext, position: FormPosition, keysAreData: Bool = false) {
        self.context = context
        self.position = position
        self.keysAreData = keysAreData
    }

    var codingPath: [any CodingKey] { position.codingPath }
    var userInfo: [CodingUserInfoKey: Any] { context.options.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(
            FormKeyedContainer<Key>(
                tree: tree(isNamed: true),
                context: context,
                position: position,
                keysAreData: keysAreData
            )
        )
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        FormUnkeyedContainer(tree: tree(isNamed: false), context: context, position: position)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        FormSingleValueContainer(encoder: self, context: context, position: position)
    }

    /// Returns the tree to fill.
    ///
    /// A superclass and its subclass may request the same one.
    private func tree(isNamed: Bool) -> FormTree {
        let fresh = FormTree(isNamed: isNamed)
        switch value {
        case .nothing:
            value = .tree(fresh)
        case .tree(let tree) where tree.isNamed == isNamed:
            return tree
        default:
            context.fail(.conflictingContainers(path: position.text))
        }
        return fresh
    }
}

/// The container for a single value of an encoder.
struct FormSingleValueContainer: SingleValueEncodingContainer {
    private let encoder: FormEncoder
    private let context: FormContext
    private let position: FormPosition

    init(encoder: FormEncoder, context: FormContext, position: FormPosition) {
        self.encoder = encoder
        self.context = context
        self.position = position
    }

    var codingPath: [any CodingKey] { position.codingPath }

    mutating func encodeNil() throws { try set(.null) }

    mutating func encode<T: Encodable>(_ value: T) throws { try setValue(value) }

    func setValue(_ value: some Encodable) throws { try set(context.value(of: value, at: position.inside)) }

    private func set(_ value: FormValue) throws {
        guard case .nothing = encoder.value else {
            throw URLEncodedFormEncoder.Error.conflictingContainers(path: position.text)
        }
        encoder.value = value
    }
}
