#if !canImport(Darwin)
    import Foundation

    /// A decoder of a value in a ``JSONDocument``, with the default strategies of `JSONDecoder`.
    ///
    /// It throws where `JSONDecoder` does; what it throws is never the result.
    final class JSONValueDecoder: Decoder {
        let document: JSONDocument
        /// The index of the value.
        let index: Int
        private let parent: JSONValueDecoder?
        private let key: (any CodingKey)?
        /// The index of the name that is probably looked for next, since most types read members in their order.
        @exclusivity(unchecked)
        private var nextName: Int

        init(_ document: JSONDocument, at index: Int, parent: JSONValueDecoder? = nil, key: (any CodingKey)? = nil) {
            self.document = document
            self.index = index
            self.parent = parent
            self.key = key
            nextName = index + 1
        }

        var codingPath: [any CodingKey] { (parent?.codingPath ?? []) + (key.map { [$0] } ?? []) }

        /// Empty: a decoder with user information is Foundation's.
        var userInfo: [CodingUserInfoKey: Any] { [:] }

        func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
            guard kind == .object else { throw mismatch([String: Any].self) }
            return KeyedDecodingContainer(JSONKeyedDecodingContainer<Key>(decoder: self))
        }

        func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
            guard kind == .array else { throw mismatch([Any].self) }
            return JSONUnkeyedDecodingContainer(decoder: self)
        }

        func singleValueContainer() -> any SingleValueDecodingContainer { self }

        // MARK: Values

        private var kind: JSONToken.Kind { document.tokens[index].kind }

        /// The number of elements.
        var count: Int { Int(document.tokens[index].detail) }

        func isNull(at index: Int) -> Bool { document.tokens[index].kind == .null }

        /// Returns the index of the value of a member.
        func member(_ name: String) -> Int? {
            guard let found = document.name(name, of: index, guess: nextName) else { return nil }
            nextName = document.end(of: found + 1)
            return found + 1
        }

        /// Creates a decoder of a value in this one.
        func nested(at index: Int, _ key: some CodingKey) -> JSONValueDecoder {
            JSONValueDecoder(document, at: index, parent: self, key: key)
        }

        /// Decodes a value in this one.
        @inline(__always)
        func decode<Value: Decodable>(_ type: Value.Type, at index: Int, _ key: some CodingKey) throws -> Value {
            try document.decode(type, at: index) { try document.decode(type, by: nested(at: index, key)) }
        }

        /// Creates a decoder of a member, or of null if the member is missing.
        func superDecoder(forKey key: some CodingKey) -> any Decoder {
            document.leaveToFoundation()
            if let value = member(key.stringValue) { return nested(at: value, key) }
            return JSONValueDecoder(.null, at: 0, parent: self, key: key)
        }

        // MARK: Errors

        /// Returns the error for a value that is not a container.
        private func mismatch(_ type: Any.Type) -> DecodingError {
            let context = DecodingError.Context(codingPath: codingPath, debugDescription: "The value is another one.")
            return fail(kind == .null ? .valueNotFound(type, context) : .typeMismatch(type, context))
        }

        func fail(_ error: DecodingError) -> DecodingError {
            document.leaveToFoundation()
            return error
        }
    }

    extension JSONValueDecoder: SingleValueDecodingContainer {
        func decodeNil() -> Bool { kind == .null }

        @inline(__always)
        func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
            try document.decode(type, at: index) { try type.init(from: self) }
        }

        // The default implementations throw.
        func decode(_ type: Int128.Type) throws -> Int128 {
            try document.decode(type, at: index) { try .init(from: self) }
        }
        func decode(_ type: UInt128.Type) throws -> UInt128 {
            try document.decode(type, at: index) { try .init(from: self) }
        }
    }

    /// The key of an element, or of a superclass; its name is that of Foundation's, for the description of coding paths.
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
