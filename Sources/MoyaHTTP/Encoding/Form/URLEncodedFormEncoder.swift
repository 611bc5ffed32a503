import Foundation

/// Encodes any `Encodable` value as `application/x-www-form-urlencoded` text, for a query or a body.
///
/// Properties become `name=value`, nested ones `name[property]=value`, elements of arrays as ``arrayEncoding`` says.
/// Without options the text is the one that ``URLEncoding`` gives for a dictionary with the same values, except for
/// dates, which are encoded as they encode themselves. Empty arrays and dictionaries have no pairs. The keys of
/// dictionaries are data: ``keyEncoding`` leaves them as they are.
///
///     struct Search: Encodable { let q: String, pages: [Int] }
///     let text: String = try URLEncodedFormEncoder().encode(Search(q: "a b", pages: [1, 2]))
///     // pages%5B%5D=1&pages%5B%5D=2&q=a%20b
///
/// To send the text use ``EncodableFormEncoding``.
public struct URLEncodedFormEncoder: Sendable {
    /// How the names of array elements are written.
    public typealias ArrayEncoding = URLEncoding.ArrayEncoding
    /// How Booleans are written.
    public typealias BoolEncoding = URLEncoding.BoolEncoding

    /// In which order pairs are written.
    public var keyOrder: KeyOrder
    /// How the names of array elements are written.
    public var arrayEncoding: ArrayEncoding
    /// How Booleans are written.
    public var boolEncoding: BoolEncoding
    /// How `Data` is written.
    public var dataEncoding: DataEncoding
    /// How dates are written.
    public var dateEncoding: DateEncoding
    /// How the names of properties are written.
    public var keyEncoding: KeyEncoding
    /// How the name of a property within a property is written.
    public var keyPathEncoding: KeyPathEncoding
    /// How `nil` is written.
    public var nilEncoding: NilEncoding
    /// How spaces are written.
    public var spaceEncoding: SpaceEncoding
    /// Which characters are escaped.
    public var escaping: Escaping
    /// What the `encode(to:)` of values finds in its encoder's `userInfo`.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

    /// Makes an encoder.
    ///
    /// - Parameter spaceEncoding: Where it is `nil`, spaces are written as `escaping` has it: `%20` for
    ///   ``Escaping/rfc3986``, `+` for ``Escaping/whatwg``.
    public init(
        keyOrder: KeyOrder = .alphabetical,
        arrayEncoding: ArrayEncoding = .brackets,
        boolEncoding: BoolEncoding = .numeric,
        dataEncoding: DataEncoding = .base64,
        dateEncoding: DateEncoding = .deferredToDate,
        keyEncoding: KeyEncoding = .useDefaultKeys,
        keyPathEncoding: KeyPathEncoding = .brackets,
        nilEncoding: NilEncoding = .dropKey,
        spaceEncoding: SpaceEncoding? = nil,
        escaping: Escaping = .rfc3986
    ) {
        self.keyOrder = keyOrder
        self.arrayEncoding = arrayEncoding
        self.boolEncoding = boolEncoding
        self.dataEncoding = dataEncoding
        self.dateEncoding = dateEncoding
        self.keyEncoding = keyEncoding
        self.keyPathEncoding = keyPathEncoding
        self.nilEncoding = nilEncoding
        self.spaceEncoding = spaceEncoding ?? (escaping == .whatwg ? .plus : .percentEscaped)
        self.escaping = escaping
    }

    /// The pairs of a value, escaped, with `&` between them.
    ///
    /// - Throws: ``Error``, or what the value's own `encode(to:)` or a custom option throws.
    public func encode(_ value: some Encodable) throws -> String { try form(of: value).text }

    /// The pairs of a value as the bytes of a body.
    ///
    /// - Throws: ``Error``, or what the value's own `encode(to:)` or a custom option throws.
    public func encode(_ value: some Encodable) throws -> Data { Data(try form(of: value).bytes) }

    func form(of value: some Encodable) throws -> FormText {
        var form = FormText(escaping: FormEscaping(rule: escaping, space: spaceEncoding))
        FormWriter(options: self).write(try tree(of: value), to: &form)
        return form
    }

    private func tree(of value: some Encodable) throws -> FormTree {
        let context = FormContext(options: self)
        let result = try context.value(of: value, at: FormPosition())
        if let failure = context.failure { throw failure }
        guard case .tree(let tree) = result, tree.isNamed else { throw Error.topLevelHasNoNames("\(type(of: value))") }
        return tree
    }
}
