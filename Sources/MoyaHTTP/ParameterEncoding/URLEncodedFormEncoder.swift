import Foundation

/// An encoder that writes `Encodable` values as `application/x-www-form-urlencoded` text, for a query or a body.
///
/// Properties are written as `name=value`, nested properties as `name[property]=value`, and array elements according to
/// ``arrayEncoding``. By default, ``URLEncoding`` writes the same text for a dictionary with the same values. Empty arrays and
/// dictionaries have no pairs. Dictionary keys are data, so ``keyEncoding`` does not change them.
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
    /// If `spaceEncoding` is `nil`, the style for spaces depends on `escaping`: `%20` for ``Escaping/rfc3986``, `+` for
    /// ``Escaping/whatwg``.
    public init(
        keyOrder: KeyOrder = .alphabetical,
        arrayEncoding: ArrayEncoding = .brackets,
        boolEncoding: BoolEncoding = .numeric,
        dataEncoding: DataEncoding = .base64,
        dateEncoding: DateEncoding = .iso8601,
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
        FormWriter(options: self).write(try tree(of: value)) { form.append(name: $0, value: $1) }
        return form
    }

    func tree(of value: some Encodable) throws -> FormTree {
        let context = FormContext(options: self, refusesLostCases: value is any ParameterWriter)
        let result = try context.value(of: value, at: FormPosition())
        if let failure = context.failure { throw failure }
        guard case .tree(let tree) = result, tree.isNamed else { throw Error.topLevelHasNoNames("\(type(of: value))") }
        return tree
    }
}

extension URLEncodedFormEncoder {
    /// The order of pairs.
    public enum KeyOrder: Sendable, Equatable {
        /// Pairs are sorted by name at every level. Equal values then have equal texts, which caches and signatures require.
        case alphabetical
        /// Pairs are in the order of encoding.
        ///
        /// The order of dictionary keys differs between runs.
        case asEncoded
    }

    /// The style for `Data`.
    public enum DataEncoding: Sendable {
        /// `Data` encodes itself, as an array of bytes.
        case deferredToData
        /// Base64 (RFC 4648, section 4).
        case base64
        /// A function of the data.
        case custom(@Sendable (Data) throws -> String)
    }

    /// The style for dates.
    public enum DateEncoding: Sendable {
        /// `Date` encodes itself, as seconds since 2001-01-01T00:00:00Z.
        case deferredToDate
        /// Seconds since 1970-01-01T00:00:00Z, with a fraction only if it is not zero.
        case secondsSince1970
        /// Milliseconds since 1970-01-01T00:00:00Z, with a fraction only if it is not zero.
        case millisecondsSince1970
        /// `2001-02-03T04:05:06Z` (RFC 3339, section 5.6), for the years 0 to 9999.
        case iso8601
        /// The text of a formatter.
        case formatted(DateFormatter)
        /// A function of the date.
        case custom(@Sendable (Date) throws -> String)
    }

    /// The style for the names of nested properties.
    public enum KeyPathEncoding: Sendable {
        /// Brackets: `a[b]=1`.
        case brackets
        /// Dots: `a.b=1`.
        case dots
        /// A function of the outer and the inner name.
        case custom(@Sendable (_ parent: String, _ key: String) -> String)

        func name(for key: String, in parent: String) -> String {
            switch self {
            case .brackets: "\(parent)[\(key)]"
            case .dots: "\(parent).\(key)"
            case .custom(let name): name(parent, key)
            }
        }
    }

    /// The style for `nil`.
    public enum NilEncoding: Sendable {
        /// The pair is omitted.
        case dropKey
        /// The value is empty: `a=`.
        case dropValue
        /// The value is `null`: `a=null`.
        case null
        /// A function of the full name; `nil` omits the pair.
        case custom(@Sendable (_ name: String) -> String?)

        func text(for name: String) -> String? {
            switch self {
            case .dropKey: nil
            case .dropValue: ""
            case .null: "null"
            case .custom(let text): text(name)
            }
        }
    }

    /// The style for spaces.
    public enum SpaceEncoding: Sendable, Equatable {
        /// `%20`, which every parser supports.
        case percentEscaped
        /// `+`, which browsers write in forms.
        case plus
    }

    /// The set of escaped characters.
    public enum Escaping: Sendable, Equatable {
        /// All characters are escaped except the unreserved ones of RFC 3986 (section 2.3), `/` and `?`, as in ``URLEncoding``.
        case rfc3986
        /// All characters are escaped except letters, digits and `*-._`, as in the `application/x-www-form-urlencoded` serializer of
        /// the WHATWG URL standard (section 5.2).
        case whatwg
    }
}

extension URLEncodedFormEncoder {
    /// The style for the names of properties.
    public enum KeyEncoding: Sendable {
        /// Names are not changed.
        case useDefaultKeys
        /// Snake case: `oneTwoURL` is written as `one_two_url`.
        case convertToSnakeCase
        /// Kebab case: `oneTwoURL` is written as `one-two-url`.
        case convertToKebabCase
        /// The first letter is uppercase: `oneTwo` is written as `OneTwo`.
        case capitalized
        /// Uppercase: `oneTwo` is written as `ONETWO`.
        case uppercased
        /// Lowercase: `oneTwo` is written as `onetwo`.
        case lowercased
        /// A function of the name.
        case custom(@Sendable (String) -> String)

        func name(for key: String) -> String {
            switch self {
            case .useDefaultKeys: key
            case .convertToSnakeCase: Self.words(key, separator: "_")
            case .convertToKebabCase: Self.words(key, separator: "-")
            case .capitalized: key.prefix(1).uppercased() + key.dropFirst()
            case .uppercased: key.uppercased()
            case .lowercased: key.lowercased()
            case .custom(let name): name(key)
            }
        }

        /// Separates words before an uppercase letter that does not follow another uppercase letter, and before the last of
        /// several uppercase letters if a lowercase letter follows: `myURLPath` consists of `my`, `url`, `path`.
        private static func words(_ key: String, separator: Character) -> String {
            let characters = Array(key)
            var result = ""
            for (index, character) in characters.enumerated() {
                let isBoundary =
                    character.isUppercase && index > 0 && characters[index - 1] != separator
                    && (!characters[index - 1].isUppercase
                        || index + 1 < characters.count && characters[index + 1].isLowercase)
                if isBoundary, result.contains(where: { $0 != separator }) { result.append(separator) }
                result += character.lowercased()
            }
            return result
        }
    }
}

extension URLEncodedFormEncoder {
    /// An error for a value that cannot be encoded as a form.
    ///
    /// A path identifies the property, as in `user.scores[2]`; values are never included.
    public struct Error: RequestDefinitionError, MatchableError, Sendable {
        /// The reason for the error.
        public enum Reason: Hashable, Sendable {
            /// The value, of this type, has no properties or keys at its top level, and thus no names.
            case topLevelHasNoNames(String)
            /// A number is infinite or NaN.
            case nonFiniteNumber(path: String)
            /// A date is infinite, NaN, or outside the range of the selected style.
            case unrepresentableDate(path: String)
            /// An `encode(to:)` requested different kinds of containers for one value, or encoded a single value
            /// twice.
            case conflictingContainers(path: String)
            /// An enumeration without raw values would be written as a name without a value, and be lost.
            case caseHasNoText(path: String)
            /// Values are nested more than 512 levels deep.
            case nestedTooDeeply
        }

        /// The reason for the error.
        public let reason: Reason
        package var origin = ErrorOrigin()

        /// Creates an error.
        public init(_ reason: Reason) { self.reason = reason }
    }
}

extension URLEncodedFormEncoder.Error {
    /// Creates an error with ``Reason/topLevelHasNoNames(_:)``.
    public static func topLevelHasNoNames(_ type: String) -> Self { Self(.topLevelHasNoNames(type)) }
    /// Creates an error with ``Reason/nonFiniteNumber(path:)``.
    public static func nonFiniteNumber(path: String) -> Self { Self(.nonFiniteNumber(path: path)) }
    /// Creates an error with ``Reason/unrepresentableDate(path:)``.
    public static func unrepresentableDate(path: String) -> Self { Self(.unrepresentableDate(path: path)) }
    /// Creates an error with ``Reason/conflictingContainers(path:)``.
    public static func conflictingContainers(path: String) -> Self { Self(.conflictingContainers(path: path)) }
    /// Creates an error with ``Reason/caseHasNoText(path:)``.
    public static func caseHasNoText(path: String) -> Self { Self(.caseHasNoText(path: path)) }
    /// An error with ``Reason/nestedTooDeeply``.
    public static let nestedTooDeeply = Self(.nestedTooDeeply)
}

extension URLEncodedFormEncoder.Error: MaskedError {
    /// A sentence that describes the problem and a remedy.
    public var errorDescription: String? { text(sentence) }

    private var sentence: String {
        switch reason {
        case .topLevelHasNoNames(let type):
            "A form needs names, but \(type) has none at its top level: put it into a struct or a dictionary."
        case .nonFiniteNumber(let path):
            "The number at \(path) is infinite or not a number: a form cannot represent it."
        case .unrepresentableDate(let path):
            "The date at \(path) cannot be represented in the chosen style: choose another date encoding."
        case .conflictingContainers(let path):
            "The value at \(path) requests several kinds of containers, or encodes a single value twice."
        case .caseHasNoText(let path):
            "The enumeration at \(path) has no text: give it raw values, as in `enum Order: String`."
        case .nestedTooDeeply:
            "The value is nested more than \(AnyParameter.deepestLevel) levels deep: reduce the depth."
        }
    }
}
