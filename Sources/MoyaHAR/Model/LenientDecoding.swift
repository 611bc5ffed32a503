import Foundation
import MoyaHTTP
import MoyaJSON

// These functions decode archives of other programs leniently: missing and null values get defaults, and numbers, texts and Boolean
// values may be written as one another.
extension KeyedDecodingContainer {
    func value<Value: Decodable>(_ key: Key, or missing: Value) throws -> Value {
        try decodeIfPresent(Value.self, forKey: key) ?? missing
    }

    /// Decodes a list; an object in place of a list counts as a list of one element.
    func list<Element: Decodable>(_ key: Key, of type: Element.Type = Element.self) throws -> [Element] {
        guard has(key) else { return [] }
        do {
            return try decode([Element].self, forKey: key)
        } catch {
            guard (try? nestedContainer(keyedBy: NameKey.self, forKey: key)) != nil else { throw error }
            return [try decode(Element.self, forKey: key)]
        }
    }

    /// Decodes a finite number, or a text that contains one; `nil` for an empty text.
    func number(_ key: Key) throws -> Double? {
        guard has(key) else { return nil }
        // The usual case comes first, because a failed attempt is slow.
        if let number = try? decode(Double.self, forKey: key) {
            guard number.isFinite else { throw invalid(key, "is not a finite number") }
            return number
        }
        guard let text = try? decode(String.self, forKey: key) else { return try decode(Double.self, forKey: key) }
        let digits = text.trimmingCharacters(in: .whitespaces)
        if digits.isEmpty { return nil }
        guard let number = Double(digits), number.isFinite else { throw invalid(key, "is not a number") }
        return number
    }

    /// Decodes a number, rounded to an integer.
    func integer(_ key: Key) throws -> Int64? {
        guard has(key) else { return nil }
        if let integer = try? decode(Int64.self, forKey: key) { return integer }
        if let text = try? decode(String.self, forKey: key), let integer = Int64(text) { return integer }
        guard let number = try number(key) else { return nil }
        guard let integer = Int64(exactly: number.rounded()) else { throw invalid(key, "is too large") }
        return integer
    }

    /// Decodes a text, a number or a Boolean value as text.
    func text(_ key: Key) throws -> String? {
        guard has(key) else { return nil }
        if let text = try? decode(String.self, forKey: key) { return text }
        return try scalar(key) ?? decode(String.self, forKey: key)
    }

    /// Decodes a required text, number or Boolean value as text.
    func requiredText(_ key: Key) throws -> String { try text(key) ?? decode(String.self, forKey: key) }

    /// Decodes a text, a number or a Boolean value as text; `nil` for a value of another type.
    func textIfPossible(_ key: Key) -> String? { try? text(key) }

    /// Decodes a Boolean value, or a text or number that represents one; `nil` for any other value.
    func boolean(_ key: Key) -> Bool? {
        guard has(key) else { return nil }
        if let bool = try? decode(Bool.self, forKey: key) { return bool }
        return switch textIfPossible(key)?.trimmingCharacters(in: .whitespaces).lowercased() {
        case "true", "1", "yes": true
        case "false", "0", "no": false
        default: nil
        }
    }

    func date(_ key: Key) throws -> Date {
        guard let date = ISO8601Date.date(of: try decode(String.self, forKey: key)) else {
            throw invalid(key, "is not an ISO 8601 date, such as 2026-01-31T12:00:00.000Z")
        }
        return date
    }

    private func has(_ key: Key) -> Bool { contains(key) && (try? decodeNil(forKey: key)) != true }

    private func scalar(_ key: Key) -> String? {
        if let integer = try? decode(Int64.self, forKey: key) { return "\(integer)" }
        if let number = try? decode(Double.self, forKey: key) { return "\(number)" }
        return (try? decode(Bool.self, forKey: key)).map { "\($0)" }
    }

    private func invalid(_ key: Key, _ problem: String) -> DecodingError {
        .dataCorruptedError(forKey: key, in: self, debugDescription: problem)
    }
}

extension Data {
    /// Decodes base64 and ignores white space, because some programs break lines.
    init?(lenientBase64 text: String) {
        if let data = Data(base64Encoded: text) {
            self = data
        } else {
            let bytes = text.utf8.filter { ![0x09, 0x0A, 0x0D, 0x20].contains($0) }
            guard bytes.count < text.utf8.count, let data = Data(base64Encoded: Data(bytes)) else { return nil }
            self = data
        }
    }
}

extension Data {
    /// The JSON with each unpaired surrogate (`\ud83d`) replaced by the replacement character, because Foundation rejects unpaired
    /// surrogates.
    ///
    /// Programs write an unpaired surrogate if they cut a text within a character.
    var replacingLoneSurrogates: Data {
        guard range(of: Data("\\ud".utf8)) != nil || range(of: Data("\\uD".utf8)) != nil else { return self }
        var bytes = [UInt8](self)
        var position = 0
        while position < bytes.count {
            guard bytes[position] == UInt8(ascii: "\\") else {
                position += 1
                continue
            }
            guard let unit = Self.unit(in: bytes, at: position) else {
                // This is another escape, such as an escaped backslash.
                position += 2
                continue
            }
            let next = Self.unit(in: bytes, at: position + 6)
            switch unit {
            case 0xD800..<0xDC00 where next.map { (0xDC00..<0xE000).contains($0) } == true:
                position += 12
            case 0xD800..<0xE000:
                bytes.replaceSubrange((position + 2)..<(position + 6), with: "fffd".utf8)
                position += 6
            default:
                position += 6
            }
        }
        return Data(bytes)
    }

    /// Returns the UTF-16 code unit of an escape at an index.
    private static func unit(in bytes: [UInt8], at position: Int) -> UInt16? {
        guard position + 6 <= bytes.count, bytes[position] == UInt8(ascii: "\\"),
            bytes[position + 1] == UInt8(ascii: "u")
        else { return nil }
        return UInt16(String(decoding: bytes[(position + 2)..<(position + 6)], as: UTF8.self), radix: 16)
    }
}
