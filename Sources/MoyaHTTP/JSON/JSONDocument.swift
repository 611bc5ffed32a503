#if !canImport(Darwin)
    import Foundation

    /// JSON text whose values have been located, and are read when they are asked for.
    ///
    /// It holds the text, so that a decoder that is used after the decoding reads nothing that has been freed.
    final class JSONDocument {
        let bytes: [UInt8]
        let tokens: [JSONToken]
        /// Whether something was asked for of which only Foundation's decoder knows the result.
        @exclusivity(unchecked)
        private(set) var needsFoundation = false
        /// The names of objects that are searched often.
        @exclusivity(unchecked)
        private var nameIndices: [Int: [String: Int]] = [:]
        /// The number of names that searches may have passed.
        @exclusivity(unchecked)
        private var passedNames = 0

        /// Creates a document.
        ///
        /// - Returns: `nil` if the text is malformed, or if parsers differ in what they read from it.
        init?(_ data: Data) {
            guard data.count < UInt32.max else { return nil }
            bytes = data.withUnsafeBytes { Array($0) }
            let result: Result<[JSONToken], JSONReader.NotPlain> = bytes.withUnsafeBytes { bytes in
                var tokenizer = JSONTokenizer(bytes)
                do throws(JSONReader.NotPlain) {
                    try tokenizer.scan()
                    return .success(tokenizer.tokens)
                } catch {
                    return .failure(error)
                }
            }
            guard case .success(let tokens) = result else { return nil }
            self.tokens = tokens
        }

        private init(null: [UInt8]) {
            bytes = null
            tokens = [JSONToken(kind: .null, isPlain: true, start: 0, end: UInt32(null.count), next: 1)]
        }

        /// A document with nothing but null.
        static var null: JSONDocument { JSONDocument(null: Array("null".utf8)) }

        /// Only Foundation's decoder knows the result.
        struct NeedsFoundation: Error {}

        /// Decodes the text.
        ///
        /// - Throws: Any error if only Foundation's decoder knows the result, or the error.
        func value<Value: Decodable>(_ type: Value.Type) throws -> Value {
            let value = try decode(type, at: 0) { try decode(type, by: JSONValueDecoder(self, at: 0)) }
            guard !needsFoundation else { throw NeedsFoundation() }
            return value
        }

        /// Decodes a value by a decoder that is used for nothing else.
        func decode<Value: Decodable>(_ type: Value.Type, by decoder: consuming JSONValueDecoder) throws -> Value {
            // The type that the caller has may be that of a subclass.
            let value = try type.init(from: decoder)
            // A decoder that is kept reads other values later when it is Foundation's.
            if !isKnownUniquelyReferenced(&decoder) { leaveToFoundation() }
            return value
        }

        /// Returns the index after a value.
        func end(of value: Int) -> Int { Int(tokens[value].next) }

        /// Makes the result of the decoding the one of Foundation's decoder.
        func leaveToFoundation() { needsFoundation = true }

        // MARK: Names

        /// Returns the index of the name of an object's member; `nil` if the object does not have it.
        ///
        /// - Parameters:
        ///   - name: The name.
        ///   - object: The index of the object.
        ///   - guess: The index of the name that it probably is.
        /// - Returns: The index of the name.
        func name(_ name: String, of object: Int, guess: Int) -> Int? {
            var name = name
            let isGuess = name.withUTF8 { guess < tokens[object].next && isPlainName(guess, $0) }
            if isGuess { return guess }
            passedNames += Int(tokens[object].detail)
            if passedNames > 16 * tokens.count + 4_096 { return nameIndex(of: object)[name] }
            let found = name.withUTF8 { utf8 in firstName(of: object) { isPlainName($0, utf8) } }
            if let found { return found }
            // Names of other bytes may be equal, unless all are ASCII.
            if tokens[object].isPlain, name.utf8.allSatisfy({ $0 < 0x80 }) { return nil }
            return firstName(of: object) { text($0) == name }
        }

        /// Returns an object's names with their indices, for applications that search large objects for many names.
        private func nameIndex(of object: Int) -> [String: Int] {
            if let index = nameIndices[object] { return index }
            var index: [String: Int] = [:]
            _ = firstName(of: object) {
                index[text($0)] = $0
                return false
            }
            nameIndices[object] = index
            return index
        }

        /// Returns an object's names.
        func names(of object: Int) -> [String] {
            var names: [String] = []
            names.reserveCapacity(Int(tokens[object].detail))
            _ = firstName(of: object) {
                names.append(text($0))
                return false
            }
            return names
        }

        /// Returns the index of the first of an object's names that fulfills a condition.
        private func firstName(of object: Int, where condition: (Int) -> Bool) -> Int? {
            var name = object + 1
            while name < tokens[object].next {
                if condition(name) { return name }
                name = Int(tokens[name + 1].next)
            }
            return nil
        }

        private func isPlainName(_ index: Int, _ utf8: UnsafeBufferPointer<UInt8>) -> Bool {
            let token = tokens[index]
            guard token.isPlain, token.range.count == utf8.count, let start = utf8.baseAddress else {
                return token.isPlain && token.range.isEmpty && utf8.isEmpty
            }
            return bytes.withUnsafeBufferPointer { bytes in
                bytes.baseAddress.map { memcmp($0 + Int(token.start), start, utf8.count) == 0 } ?? false
            }
        }
    }
#endif
