import Foundation

/// A strict parser for JSON (RFC 8259) that keeps numbers exact.
///
/// It rejects ambiguous JSON: objects with duplicate members, and unpaired surrogates.
struct JSONReader {
    private let bytes: [UInt8]
    private var position = 0

    /// Parses JSON; `nil` if it is invalid or nested deeper than the limit.
    static func value(of data: Data, maximumDepth: Int) -> JSONValue? {
        var reader = JSONReader(bytes: Array(data.starts(with: [0xEF, 0xBB, 0xBF]) ? data.dropFirst(3) : data))
        guard let value = reader.value(maximumDepth) else { return nil }
        reader.skipSpace()
        return reader.position == reader.bytes.count ? value : nil
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipSpace() {
        while let next, [0x20, 0x0A, 0x0D, 0x09].contains(next) { position += 1 }
    }

    private mutating func pass(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        position += 1
        return true
    }

    private mutating func value(_ depth: Int) -> JSONValue? {
        skipSpace()
        switch next {
        case UInt8(ascii: "{"): return depth > 0 ? object(depth - 1) : nil
        case UInt8(ascii: "["): return depth > 0 ? list(depth - 1) : nil
        case UInt8(ascii: "\""): return text().map { .text($0) }
        case UInt8(ascii: "t"): return word("true", .bool(true))
        case UInt8(ascii: "f"): return word("false", .bool(false))
        case UInt8(ascii: "n"): return word("null", .null)
        default: return number()
        }
    }

    private mutating func object(_ depth: Int) -> JSONValue? {
        position += 1
        var members: [ExactText: JSONValue] = [:]
        skipSpace()
        if pass(UInt8(ascii: "}")) { return .object(members) }
        repeat {
            skipSpace()
            guard next == UInt8(ascii: "\""), let name = text() else { return nil }
            skipSpace()
            guard pass(UInt8(ascii: ":")), let value = value(depth), members.updateValue(value, forKey: name) == nil
            else {
                return nil
            }
            skipSpace()
        } while pass(UInt8(ascii: ","))
        return pass(UInt8(ascii: "}")) ? .object(members) : nil
    }

    private mutating func list(_ depth: Int) -> JSONValue? {
        position += 1
        var elements: [JSONValue] = []
        skipSpace()
        if pass(UInt8(ascii: "]")) { return .list(elements) }
        repeat {
            guard let value = value(depth) else { return nil }
            elements.append(value)
            skipSpace()
        } while pass(UInt8(ascii: ","))
        return pass(UInt8(ascii: "]")) ? .list(elements) : nil
    }

    private mutating func word(_ word: String, _ value: JSONValue) -> JSONValue? {
        guard bytes[position...].starts(with: word.utf8) else { return nil }
        position += word.utf8.count
        return value
    }

    private mutating func number() -> JSONValue? {
        let start = position
        _ = pass(UInt8(ascii: "-"))
        let whole = digits()
        guard whole > 0, whole == 1 || bytes[position - whole] != UInt8(ascii: "0") else { return nil }
        if pass(UInt8(ascii: ".")), digits() == 0 { return nil }
        if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
            position += 1
            if !pass(UInt8(ascii: "+")) { _ = pass(UInt8(ascii: "-")) }
            guard digits() > 0 else { return nil }
        }
        return .number(JSONNumber(text: String(decoding: bytes[start..<position], as: UTF8.self)))
    }

    /// Skips digits, and returns their number.
    private mutating func digits() -> Int {
        let start = position
        while let next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(next) { position += 1 }
        return position - start
    }

    private mutating func text() -> ExactText? {
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
                guard escape(into: &text) else { return nil }
                start = position
            case 0..<0x20: return nil
            default: position += 1
            }
        }
        return nil
    }

    private mutating func escape(into text: inout [UInt8]) -> Bool {
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
            guard var value = unit() else { return false }
            if (0xD800..<0xDC00).contains(value) {
                guard pass(UInt8(ascii: "\\")), pass(UInt8(ascii: "u")), let low = unit(),
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

    private mutating func unit() -> UInt32? {
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
