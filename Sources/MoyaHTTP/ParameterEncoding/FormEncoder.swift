import Foundation

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

/// The state shared by all containers of an encoding.
final class FormContext {
    let options: URLEncodedFormEncoder
    /// Returns the value to keep in place of a value's text, such as the bytes of a part; `nil` to encode it.
    private let keep: ((Any) -> (any Sendable)?)?
    /// Whether to throw for an enumeration case that is encoded as a name without a value, because the form would lose the case.
    private let refusesLostCases: Bool
    /// The first error in a method that cannot throw.
    private(set) var failure: URLEncodedFormEncoder.Error?

    init(
        options: URLEncodedFormEncoder,
        keep: ((Any) -> (any Sendable)?)? = nil,
        refusesLostCases: Bool = false
    ) {
        self.options = options
        self.keep = keep
        self.refusesLostCases = refusesLostCases
    }

    /// Records an error in a method that cannot throw.
    func fail(_ error: URLEncodedFormEncoder.Error) { failure = failure ?? error }

    /// Returns whether a container is allowed; otherwise records an error, and the caller drops the content of the container.
    func canOpenContainer(at position: FormPosition) -> Bool {
        if position.level > AnyParameter.deepestLevel { fail(.nestedTooDeeply) }
        return position.level <= AnyParameter.deepestLevel
    }

    /// Returns the encoded form of a value.
    func value<T: Encodable>(of value: T, at position: FormPosition) throws -> FormValue {
        if let failure { throw failure }
        if let keep, let kept = keep(value) { return .kept(kept) }
        if let text = try text(of: value, at: position) { return .text(text) }
        guard position.level <= AnyParameter.deepestLevel else { throw URLEncodedFormEncoder.Error.nestedTooDeeply }
        let encoder = FormEncoder(context: self, position: position, keysAreData: value is any KeyedByData)
        try value.encode(to: encoder)
        if case .tree(let tree) = encoder.value { try finish(tree, of: value, at: position) }
        return encoder.value
    }

    /// Sorts elements that have no order, and throws for an enumeration case that would be lost.
    ///
    /// It is not inlined, so that its stack frame is not part of every recursion level.
    @inline(never)
    private func finish<T: Encodable>(_ tree: FormTree, of value: T, at position: FormPosition) throws {
        if tree.isNamed {
            guard refusesLostCases, tree.children.count == 1, case .tree(let inner)? = tree.children.first,
                inner.children.isEmpty,
                AnyParameter.isPlainCase(value)
            else { return }
            throw URLEncodedFormEncoder.Error.caseHasNoText(path: position.text)
        }
        if options.keyOrder == .alphabetical, (value as? any FormUnordered)?.isUnordered == true {
            tree.sort(by: FormWriter(options: options))
        }
    }

    /// Returns the text of a value that the encoder writes itself; `nil` for other values, which encode themselves.
    ///
    /// It is not inlined, so that its stack frame is not part of every recursion level.
    @inline(never)
    private func text<T: Encodable>(of value: T, at position: FormPosition) throws -> String? {
        switch value {
        case let scalar as any FormScalar: try scalar.formText(boolEncoding: options.boolEncoding, at: position)
        case let date as Date: try options.dateEncoding.text(for: date, at: position)
        case let data as Data: try options.dataEncoding.text(for: data)
        default: nil
        }
    }
}

/// A marker for dictionaries, whose keys are data rather than property names.
private protocol KeyedByData {}
extension Dictionary: KeyedByData {}

/// A value whose elements may have no order.
protocol FormUnordered {
    /// Whether the elements have no order.
    var isUnordered: Bool { get }
}
extension Set: FormUnordered {
    var isUnordered: Bool { true }
}

extension URLEncodedFormEncoder.DataEncoding {
    /// Returns the text, or `nil` if `Data` encodes itself.
    fileprivate func text(for data: Data) throws -> String? {
        switch self {
        case .deferredToData: nil
        case .base64: data.base64EncodedString()
        case .custom(let text): try text(data)
        }
    }
}

extension URLEncodedFormEncoder.DateEncoding {
    /// Returns the text, or `nil` if `Date` encodes itself.
    fileprivate func text(for date: Date, at position: FormPosition) throws -> String? {
        switch self {
        case .deferredToDate:
            return nil
        case .secondsSince1970:
            return try Self.text(date.timeIntervalSince1970, at: position)
        case .millisecondsSince1970:
            return try Self.text(date.timeIntervalSince1970 * 1000, at: position)
        case .iso8601:
            guard date.hasFourDigitYear else {
                throw URLEncodedFormEncoder.Error.unrepresentableDate(path: position.text)
            }
            return date.formatted(.iso8601)
        case .formatted(let formatter):
            guard date.timeIntervalSinceReferenceDate.isFinite else {
                throw URLEncodedFormEncoder.Error.unrepresentableDate(path: position.text)
            }
            return formatter.string(from: date)
        case .custom(let text):
            return try text(date)
        }
    }

    private static func text(_ number: Double, at position: FormPosition) throws -> String {
        guard number.isFinite else { throw URLEncodedFormEncoder.Error.unrepresentableDate(path: position.text) }
        return Int64(exactly: number).map { "\($0)" } ?? "\(number)"
    }
}

/// A position in an encoded value.
///
/// The coding path is created only on request.
struct FormPosition {
    private final class Step {
        let key: any CodingKey
        let outer: Step?

        init(key: any CodingKey, outer: Step?) {
            self.key = key
            self.outer = outer
        }
    }

    private var last: Step?
    /// The number of enclosing calls of `encode(to:)` and nested containers.
    private(set) var level = 0

    /// The same position one level deeper, for a value that encodes another value in place of itself.
    var inside: FormPosition {
        var position = self
        position.level += 1
        return position
    }

    /// Returns the position of a key.
    func appending(_ key: any CodingKey) -> FormPosition {
        var position = inside
        position.last = Step(key: key, outer: last)
        return position
    }

    var codingPath: [any CodingKey] {
        var keys: [any CodingKey] = []
        var step = last
        while let current = step {
            keys.append(current.key)
            step = current.outer
        }
        return keys.reversed()
    }

    /// The coding path as text, for errors.
    var text: String {
        var path = ParameterPath()
        for key in codingPath {
            if let index = (key as? FormIndexKey)?.index { path.append(index) } else { path.append(key.stringValue) }
        }
        return path.text
    }
}

/// The key of an array element, or the default key of a superclass.
struct FormIndexKey: CodingKey {
    let index: Int?
    let stringValue: String
    var intValue: Int? { index }

    static let `super` = FormIndexKey(stringValue: "super")

    init(index: Int) {
        self.index = index
        stringValue = "Index \(index)"
    }

    init(stringValue: String) {
        index = nil
        self.stringValue = stringValue
    }

    init?(intValue: Int) { self.init(index: intValue) }
}
