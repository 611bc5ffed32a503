import Foundation

/// The parameters of a `Content-Disposition` header (RFC 6266) or of a form part (RFC 7578, section 4.2).
///
/// The parser is lenient: malformed parameters are skipped.
package struct ContentDisposition: Equatable, Sendable {
    /// The file names by preference: `filename*` (RFC 8187) before `filename` (RFC 6266, section 4.3).
    ///
    /// They are as received, and thus not safe to use as paths.
    package let fileNames: [String]
    /// The name of a form field.
    package let name: String?

    package init(_ value: String) {
        var reader = ParameterReader(value)
        var field: String?
        var plain: String?
        var extended: String?
        // The first of duplicate parameters, which are an error, is used.
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

    /// Decodes `charset'language'percent-encoded` (RFC 8187, section 3.2) in UTF-8, or in ISO-8859-1 as older
    /// servers send.
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

/// A reader for `; name=value` pairs, where the value is a token or a quoted string (RFC 9110, section 5.6.6).
private struct ParameterReader {
    private var rest: ArraySlice<UInt8>

    init(_ value: String) {
        rest = ArraySlice(Array(value.utf8))
        // The disposition type is first. Some servers omit it; then there is a "=" in its place.
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

    /// Reads up to the closing quote, or the end if it is missing.
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
