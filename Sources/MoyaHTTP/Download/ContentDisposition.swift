import Foundation

/// What a `Content-Disposition` header says about a file's name (RFC 6266), and that of a form's part about the field's
/// (RFC 7578, section 4.2). Pure, and lenient: what is malformed is passed over, and what remains is read.
package struct ContentDisposition: Equatable, Sendable {
    /// The names, the preferred one first: `filename*` (RFC 8187) before `filename` (RFC 6266, section 4.3). As the
    /// server wrote them, so not safe to use.
    package let fileNames: [String]
    /// The name of a form's field.
    package let name: String?

    package init(_ value: String) {
        var reader = ParameterReader(value)
        var field: String?
        var plain: String?
        var extended: String?
        // Of parameters that occur twice, which is an error, the first one counts.
        while let (name, value) = reader.next() {
            switch name {
            case "filename": plain = plain ?? String(decoding: value, as: UTF8.self)
            case "name": field = field ?? String(decoding: value, as: UTF8.self)
            case "filename*": extended = extended ?? Self.decode(extendedValue: value)
            default: break
            }
        }
        fileNames = [extended, plain].compactMap(\.self)
        name = field
    }

    /// `charset'language'percent-encoded` (RFC 8187, section 3.2): UTF-8, and ISO-8859-1, which older servers send.
    private static func decode(extendedValue value: [UInt8]) -> String? {
        let parts = value.split(separator: UInt8(ascii: "'"), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let bytes = percentDecode(parts[2]) else { return nil }
        switch String(decoding: parts[0], as: UTF8.self).lowercased() {
        case "utf-8": return String(bytes: bytes, encoding: .utf8)
        case "iso-8859-1": return String(bytes: bytes, encoding: .isoLatin1)
        default: return nil
        }
    }

    private static func percentDecode(_ value: ArraySlice<UInt8>) -> [UInt8]? {
        var decoded: [UInt8] = []
        var rest = value
        while let byte = rest.popFirst() {
            guard byte < 0x80 else { return nil }
            guard byte == UInt8(ascii: "%") else {
                decoded.append(byte)
                continue
            }
            guard let high = rest.popFirst()?.hexValue, let low = rest.popFirst()?.hexValue else {
                return nil
            }
            decoded.append(high << 4 | low)
        }
        return decoded
    }
}

/// Reads `; name=value` pairs, where the value is a token or a quoted string (RFC 9110, section 5.6.6).
private struct ParameterReader {
    private var rest: ArraySlice<UInt8>

    init(_ value: String) {
        rest = ArraySlice(Array(value.utf8))
        // The disposition type goes first. Some servers forget it: then what stands there has a "=".
        let type = rest.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: "=") }
        if type.endIndex == rest.endIndex || rest[type.endIndex] == UInt8(ascii: ";") { rest = rest[type.endIndex...] }
    }

    mutating func next() -> (name: String, value: [UInt8])? {
        while !rest.isEmpty {
            rest = rest.drop { $0 == UInt8(ascii: ";") || Self.isSpace($0) }
            let name = take { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: "=") }
            guard rest.popFirst() == UInt8(ascii: "=") else { continue }
            rest = rest.drop(while: Self.isSpace)
            let value = rest.first == UInt8(ascii: "\"") ? quotedString() : take { $0 != UInt8(ascii: ";") }
            return (String(decoding: name, as: UTF8.self).lowercased(), value)
        }
        return nil
    }

    /// Up to the closing quote, or up to the end where there is none.
    private mutating func quotedString() -> [UInt8] {
        rest.removeFirst()
        var text: [UInt8] = []
        while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
            if byte == UInt8(ascii: "\\"), let next = rest.popFirst() {
                text.append(next)
            } else {
                text.append(byte)
            }
        }
        rest = rest.drop { $0 != UInt8(ascii: ";") }
        return text
    }

    private mutating func take(while condition: (UInt8) -> Bool) -> [UInt8] {
        let taken = rest.prefix(while: condition)
        rest = rest[taken.endIndex...]
        return Array(taken.reversed().drop(while: Self.isSpace).reversed())
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
}
