#if !canImport(Darwin)
import Foundation

/// JSON text whose values have been located and are read on demand.
///
/// The document keeps the text, so that a decoder that is used after the decoding does not read freed memory.
final class JSONDocument {
    let bytes: [UInt8]
    let tokens: [JSONToken]
    /// Whether only Foundation's decoder can determine the result of an operation.
    @exclusivity(unchecked)
    private(set) var needsFoundation = false
    /// The number of scalars that Foundation decoded.
    @exclusivity(unchecked)
    private var scalarsByFoundation = 0

    /// Creates a document.
    ///
    /// - Returns: `nil` if the text is malformed, or if parsers interpret it differently.
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

    /// Whether Foundation would have decoded the text faster.
    var isSlow: Bool { scalarsByFoundation > 1 + tokens.count / 64 }

    /// Returns whether a text may be JSON in UTF-8, by its first byte.
    static func canBegin(_ data: Data) -> Bool {
        switch data.first ?? 0 {
        case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\""), UInt8(ascii: "-"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"),
            UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"):
            true
        default:
            false
        }
    }

    /// A document whose only value is null.
    static var null: JSONDocument { JSONDocument(null: Array("null".utf8)) }

    /// An error that leaves the decoding to Foundation.
    struct NeedsFoundation: Error {}

    /// Decodes the text.
    ///
    /// - Throws: Any error if only Foundation's decoder can determine the result or the error.
    func value<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let value = try decode(
            type,
            at: 0,
            path: { [] },
            other: { try decode(type, by: JSONValueDecoder(self, at: 0)) }
        )
        guard !needsFoundation else { throw NeedsFoundation() }
        return value
    }

    /// Decodes a value with a decoder that nothing else uses.
    func decode<Value: Decodable>(_ type: Value.Type, by decoder: consuming JSONValueDecoder) throws -> Value {
        // The dynamic type may be a subclass of the static type.
        let value = try type.init(from: decoder)
        // If the value keeps the decoder, Foundation must decode: its kept decoder reads other values later than this one.
        if !isKnownUniquelyReferenced(&decoder) { leaveToFoundation() }
        return value
    }

    /// Returns the index after a value.
    func end(of value: Int) -> Int { Int(tokens[value].next) }

    /// Leaves the result of the decoding to Foundation's decoder.
    func leaveToFoundation() { needsFoundation = true }

    func countScalarByFoundation() { scalarsByFoundation += 1 }

    // MARK: Names

    /// Returns whether a plain name has these bytes.
    func isName(_ index: Int, _ name: inout String) -> Bool { name.withUTF8 { isPlainName(index, $0) } }

    /// Returns the index of a name in a plain object by comparing the names; `nil` if the object does not have it.
    func plainName(_ name: inout String, of object: Int) -> Int? {
        name.withUTF8 { utf8 in firstName(of: object) { isPlainName($0, utf8) } }
    }

    /// Returns an object's names with their indices.
    func nameIndex(of object: Int) -> [String: Int] {
        var index: [String: Int] = [:]
        index.reserveCapacity(Int(tokens[object].detail))
        _ = firstName(of: object) { name in
            // Parsers select different values of a repeated name.
            if index.updateValue(name, forKey: text(name)) != nil { leaveToFoundation() }
            return false
        }
        return index
    }

    /// Returns a plain object's names.
    func names(of object: Int) -> [String] {
        var names: [String] = []
        names.reserveCapacity(Int(tokens[object].detail))
        _ = firstName(of: object) {
            names.append(text($0))
            return false
        }
        return names
    }

    /// Returns the index of the first name of an object that satisfies a condition.
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
