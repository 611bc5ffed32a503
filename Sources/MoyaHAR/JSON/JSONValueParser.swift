import Foundation
import MoyaHTTP

/// A strict parser for JSON (RFC 8259) that keeps numbers exact.
///
/// It rejects ambiguous JSON: objects with duplicate members, and unpaired surrogates.
struct JSONValueParser {
    private let bytes: [UInt8]
    private let allowsDuplicates: Bool
    private var position = 0

    /// Parses JSON; `nil` if it is invalid or nested deeper than the limit.
    static func parse(_ data: Data, maximumDepth: Int) -> JSONValue? {
        var parser = JSONValueParser(data)
        return parser.parse(maximumDepth)
    }

    /// Parses JSON in which an object may have several members with the same name; the last one is used.
    static func parseLeniently(_ data: Data, maximumDepth: Int) -> JSONValue? {
        var parser = JSONValueParser(data, allowsDuplicates: true)
        return parser.parse(maximumDepth)
    }

    /// Returns whether the data is valid JSON whose end is missing.
    static func isStart(_ data: Data, maximumDepth: Int) -> Bool {
        var parser = JSONValueParser(data, allowsDuplicates: true)
        // A cut word (`fals`) or escape (`\u00e`) stops the parser at most 5 bytes before the end.
        return parser.readValue(maximumDepth) == nil && parser.position + 6 > parser.bytes.count
    }

    private init(_ data: Data, allowsDuplicates: Bool = false) {
        bytes = Array(data.starts(with: [0xEF, 0xBB, 0xBF]) ? data.dropFirst(3) : data)
        self.allowsDuplicates = allowsDuplicates
    }

    private mutating func parse(_ maximumDepth: Int) -> JSONValue? {
        guard let value = readValue(maximumDepth) else { return nil }
        skipSpace()
        return position == bytes.count ? value : nil
    }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipSpace() {
        while let next, [0x20, 0x0A, 0x0D, 0x09].contains(next) { position += 1 }
    }

    /// Skips the next byte if it is the given one, and returns whether it was.
    private mutating func skip(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        position += 1
        return true
    }

    private mutating func readValue(_ depth: Int) -> JSONValue? {
        skipSpace()
        switch next {
        case UInt8(ascii: "{"): return depth > 0 ? readObject(depth - 1) : nil
        case UInt8(ascii: "["): return depth > 0 ? readList(depth - 1) : nil
        case UInt8(ascii: "\""): return readText().map { .text($0) }
        case UInt8(ascii: "t"): return readWord("true", .bool(true))
        case UInt8(ascii: "f"): return readWord("false", .bool(false))
        case UInt8(ascii: "n"): return readWord("null", .null)
        default: return readNumber()
        }
    }

    private mutating func readObject(_ depth: Int) -> JSONValue? {
        position += 1
        var members: [ExactText: JSONValue] = [:]
        skipSpace()
        if skip(UInt8(ascii: "}")) { return .object(members) }
        repeat {
            skipSpace()
            guard next == UInt8(ascii: "\""), let name = readText() else { return nil }
            skipSpace()
            guard skip(UInt8(ascii: ":")), let value = readValue(depth),
                members.updateValue(value, forKey: name) == nil || allowsDuplicates
            else { return nil }
            skipSpace()
        } while skip(UInt8(ascii: ","))
        return skip(UInt8(ascii: "}")) ? .object(members) : nil
    }

    private mutating func readList(_ depth: Int) -> JSONValue? {
        position += 1
        var elements: [JSONValue] = []
        skipSpace()
        if skip(UInt8(ascii: "]")) { return .list(elements) }
        repeat {
            guard let value = readValue(depth) else { return nil }
            elements.append(value)
            skipSpace()
        } while skip(UInt8(ascii: ","))
        return skip(UInt8(ascii: "]")) ? .list(elements) : nil
    }

    private mutating func readWord(_ word: String, _ value: JSONValue) -> JSONValue? {
        guard bytes[position...].starts(with: word.utf8) else { return nil }
        position += word.utf8.count
        return value
    }

    private mutating func readNumber() -> JSONValue? {
        let start = position
        _ = skip(UInt8(ascii: "-"))
        let whole = skipDigits()
        guard whole > 0, whole == 1 || bytes[position - whole] != UInt8(ascii: "0") else { return nil }
        if skip(UInt8(ascii: ".")), skipDigits() == 0 { return nil }
        if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
            position += 1
            if !skip(UInt8(ascii: "+")) { _ = skip(UInt8(ascii: "-")) }
            guard skipDigits() > 0 else { return nil }
        }
        return .number(JSONNumber(text: String(decoding: bytes[start..<position], as: UTF8.self)))
    }

    /// Skips digits, and returns their number.
    private mutating func skipDigits() -> Int {
        let start = position
        while let next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(next) { position += 1 }
        return position - start
    }

    private mutating func readText() -> ExactText? {
        position += 1
        var text: [UInt8] = []
        var start = position
        while let byte = next {
            switch byte {
            case UInt8(ascii: "\""):
                text += bytes[start..<position]
                position += 1
                return String(validUTF8: text).map { ExactText($0) }
            case UInt8(ascii: "\\"):
                text += bytes[start..<position]
                position += 1
                guard readEscape(into: &text) else { return nil }
                start = position
            case 0..<0x20: return nil
            default: position += 1
            }
        }
        return nil
    }

    private mutating func readEscape(into text: inout [UInt8]) -> Bool {
        guard let byte = next else { return false }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"):
            guard var value = readUnit() else { return false }
            if (0xD800..<0xDC00).contains(value) {
                guard skip(UInt8(ascii: "\\")), skip(UInt8(ascii: "u")), let low = readUnit(),
                    (0xDC00..<0xE000).contains(low)
                else { return false }
                value = 0x1_0000 + ((value - 0xD800) << 10) + (low - 0xDC00)
            }
            guard let scalar = Unicode.Scalar(value), let encoded = UTF8.encode(scalar) else { return false }
            text.append(contentsOf: encoded)
        default: return false
        }
        return true
    }

    private mutating func readUnit() -> UInt32? {
        guard position + 4 <= bytes.count else { return nil }
        var unit: UInt32 = 0
        for byte in bytes[position..<(position + 4)] {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80 else { return nil }
            unit = unit << 4 | UInt32(digit)
        }
        position += 4
        return unit
    }
}
