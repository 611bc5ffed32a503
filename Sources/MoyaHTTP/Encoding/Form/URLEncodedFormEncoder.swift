import Foundation

/// An encoder that writes `Encodable` values as `application/x-www-form-urlencoded` text, for a query or a body.
///
/// Properties are written as `name=value`, nested ones as `name[property]=value`, and array elements according to
/// ``arrayEncoding``. By default, the text is the same as that of ``URLEncoding`` for a dictionary with the same
/// values, except for dates, which encode themselves. Empty arrays and dictionaries have no pairs. Dictionary keys
/// are data, so ``keyEncoding`` does not change them.
///
///     struct Search: Encodable { let q: String, pages: [Int] }
///     let text: String = try URLEncodedFormEncoder().encode(Search(q: "a b", pages: [1, 2]))
///     // pages%5B%5D=1&pages%5B%5D=2&q=a%20b
///
/// To send the text, use ``EncodableFormEncoding``.
public struct URLEncodedFormEncoder: Sendable {
    /// The style for the names of array elements.
    public typealias ArrayEncoding = URLEncoding.ArrayEncoding
    /// The style for Booleans.
    public typealias BoolEncoding = URLEncoding.BoolEncoding

    /// The order of pairs.
    public var keyOrder: KeyOrder
    /// The style for the names of array elements.
    public var arrayEncoding: ArrayEncoding
    /// The style for Booleans.
    public var boolEncoding: BoolEncoding
    /// The style for `Data`.
    public var dataEncoding: DataEncoding
    /// The style for dates.
    public var dateEncoding: DateEncoding
    /// The style for the names of properties.
    public var keyEncoding: KeyEncoding
    /// The style for the names of nested properties.
    public var keyPathEncoding: KeyPathEncoding
    /// The style for `nil`.
    public var nilEncoding: NilEncoding
    /// The style for spaces.
    public var spaceEncoding: SpaceEncoding
    /// The set of escaped characters.
    public var escaping: Escaping
    /// The `userInfo` of the encoder that is passed to `encode(to:)` of values.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

    /// Creates an encoder.
    ///
    /// If `spaceEncoding` is `nil`, it depends on `escaping`: `%20` for ``Escaping/rfc3986``, `+` for
    /// ``Escaping/whatwg``.
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

    /// Returns the escaped pairs of a value, separated by `&`.
    ///
    /// - Throws: ``Error``, or the error of the value's `encode(to:)` or of a custom style.
    public func encode(_ value: some Encodable) throws -> String { try form(of: value).text }

    /// Returns the pairs of a value as the bytes of a body.
    ///
    /// - Throws: ``Error``, or the error of the value's `encode(to:)` or of a custom style.
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
