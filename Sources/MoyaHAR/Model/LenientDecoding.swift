import Foundation

// Lenient decoding of archives of other programs: missing or null values have defaults, numbers may be texts.
extension KeyedDecodingContainer {
    func value<Value: Decodable>(_ key: Key, or missing: Value) throws -> Value {
        try decodeIfPresent(Value.self, forKey: key) ?? missing
    }

    /// Decodes a finite number, or a text with one.
    func number(_ key: Key) throws -> Double? {
        guard contains(key), try !decodeNil(forKey: key) else { return nil }
        // The usual case comes first, as a failed attempt is slow.
        if let number = try? decode(Double.self, forKey: key) {
            guard number.isFinite else { throw invalid(key, "is not a finite number") }
            return number
        }
        guard let text = try? decode(String.self, forKey: key) else { return try decode(Double.self, forKey: key) }
        guard let number = Double(text), number.isFinite else { throw invalid(key, "is not a number") }
        return number
    }

    /// Decodes a number, rounded to an integer.
    func integer(_ key: Key) throws -> Int64? {
        guard contains(key), try !decodeNil(forKey: key) else { return nil }
        if let integer = try? decode(Int64.self, forKey: key) { return integer }
        guard let number = try number(key) else { return nil }
        guard let integer = Int64(exactly: number.rounded()) else { throw invalid(key, "is too large") }
        return integer
    }

    /// Decodes a text, or a number as text.
    func text(_ key: Key) throws -> String? {
        guard contains(key), try !decodeNil(forKey: key) else { return nil }
        if let text = try? decode(String.self, forKey: key) { return text }
        guard let number = try? decode(Double.self, forKey: key) else { return try decode(String.self, forKey: key) }
        return "\(number)"
    }

    func date(_ key: Key) throws -> Date {
        guard let date = ISO8601Date.date(of: try decode(String.self, forKey: key)) else {
            throw invalid(key, "is not an ISO 8601 date, such as 2026-01-31T12:00:00.000Z")
        }
        return date
    }

    func checkBase64(_ text: String?, encoding: String?, _ key: Key) throws {
        guard let text, encoding?.lowercased() == "base64", Data(lenientBase64: text) == nil else { return }
        throw invalid(key, "is not in base64")
    }

    private func invalid(_ key: Key, _ problem: String) -> DecodingError {
        .dataCorruptedError(forKey: key, in: self, debugDescription: problem)
    }
}

extension Data {
    /// Decodes base64 and ignores white space, as some programs break lines.
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
