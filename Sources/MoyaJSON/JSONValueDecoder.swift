#if !canImport(Darwin)
import Foundation

/// A decoder of a value in a ``JSONDocument``, with the default strategies of `JSONDecoder`.
///
/// It throws the same errors as `JSONDecoder`, because some values attempt several types and catch the errors.
final class JSONValueDecoder: Decoder {
    let document: JSONDocument
    /// The index of the value.
    let index: Int
    private let parent: JSONValueDecoder?
    private let key: (any CodingKey)?
    /// The index of the name that is probably looked up next, since most types read members in order.
    @exclusivity(unchecked)
    private var nextName: Int
    /// The number of comparisons of names so far.
    @exclusivity(unchecked)
    private var comparedNames = 0
    /// The indices of the names.
    ///
    /// The dictionary is created when comparisons of names would be slower or are not sufficient.
    @exclusivity(unchecked)
    private var nameIndex: [String: Int]?

    init(_ document: JSONDocument, at index: Int, parent: JSONValueDecoder? = nil, key: (any CodingKey)? = nil) {
        self.document = document
        self.index = index
        self.parent = parent
        self.key = key
        nextName = index + 1
    }

    var codingPath: [any CodingKey] { (parent?.codingPath ?? []) + (key.map { [$0] } ?? []) }

    /// Always empty, because Foundation decodes if there is user information.
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard kind == .object else { throw mismatch([String: Any].self, "keyed") }
        return KeyedDecodingContainer(JSONKeyedDecodingContainer<Key>(decoder: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard kind == .array else { throw mismatch([Any].self, "unkeyed") }
        return JSONUnkeyedDecodingContainer(decoder: self)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    // MARK: Values

    private var kind: JSONToken.Kind { document.tokens[index].kind }

    private var isPlain: Bool { document.tokens[index].isPlain }

    /// The number of elements.
    var count: Int { Int(document.tokens[index].detail) }

    func isNull(at index: Int) -> Bool { document.tokens[index].kind == .null }

    /// The names of the members.
    var names: [String] { isPlain ? document.names(of: index) : Array(indexedNames().keys) }

    /// Returns the index of the value of a member.
    func member(_ name: String) -> Int? {
        // Comparing a name is much faster than adding an entry to the index.
        guard isPlain, comparedNames < 16 * count + 64 else { return indexedNames()[name].map { $0 + 1 } }
        var name = name
        if nextName >= document.end(of: index) || !document.isName(nextName, &name) {
            comparedNames += count
            guard let found = document.plainName(&name, of: index) else {
                // A name that is not ASCII can be equal to an ASCII name.
                return name.utf8.allSatisfy { $0 < 0x80 } ? nil : indexedNames()[name].map { $0 + 1 }
            }
            nextName = found
        }
        let value = nextName + 1
        nextName = document.end(of: value)
        return value
    }

    private func indexedNames() -> [String: Int] {
        if let nameIndex { return nameIndex }
        let index = document.nameIndex(of: index)
        nameIndex = index
        return index
    }

    /// Creates a decoder for a member or an element of this value.
    func nested(at index: Int, _ key: some CodingKey) -> JSONValueDecoder {
        JSONValueDecoder(document, at: index, parent: self, key: key)
    }

    /// Decodes a member or an element of this value.
    @inline(__always)
    func decode<Value: Decodable>(_ type: Value.Type, at index: Int, _ key: some CodingKey) throws -> Value {
        try document.decode(
            type,
            at: index,
            path: { codingPath + [key] },
            other: { try document.decode(type, by: nested(at: index, key)) }
        )
    }

    /// Creates a decoder of a member, or of null if the member is missing.
    func superDecoder(forKey key: some CodingKey) -> any Decoder {
        if let value = member(key.stringValue) { return nested(at: value, key) }
        document.leaveToFoundation()
        return JSONValueDecoder(.null, at: 0, parent: self, key: key)
    }

    // MARK: Errors

    /// Returns the error for a value that is not a container.
    private func mismatch(_ type: Any.Type, _ container: String) -> DecodingError {
        guard kind == .null else { return document.mismatch(type, at: index, codingPath) }
        let problem = "Cannot get \(container) decoding container -- found null value instead"
        return .valueNotFound(type, .init(codingPath: codingPath, debugDescription: problem))
    }
}

extension JSONValueDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { kind == .null }

    @inline(__always)
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try document.decode(type, at: index, path: { codingPath }, other: { try type.init(from: self) })
    }

    // The default implementations throw.
    func decode(_ type: Int128.Type) throws -> Int128 {
        try document.decode(type, at: index, path: { codingPath }, other: { try .init(from: self) })
    }
    func decode(_ type: UInt128.Type) throws -> UInt128 {
        try document.decode(type, at: index, path: { codingPath }, other: { try .init(from: self) })
    }
}

/// The key of an element or a superclass.
///
/// It has the name of Foundation's type, for descriptions of coding paths.
enum _CodingKey: CodingKey {
    case index(Int)
    case `super`

    init?(stringValue: String) { return nil }
    init?(intValue: Int) { return nil }

    var stringValue: String {
        switch self {
        case .index(let index): "Index \(index)"
        case .super: "super"
        }
    }

    var intValue: Int? {
        switch self {
        case .index(let index): index
        case .super: nil
        }
    }
}
#endif
