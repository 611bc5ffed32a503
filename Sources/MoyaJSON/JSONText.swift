/// A lenient parser for JSON strings (RFC 8259, section 7).
package enum JSONText {
    /// Returns the content of a string up to its closing quote.
    ///
    /// Without a closing quote, the content extends to the end of the bytes, and `isClosed` is false.
    package static func content(in bytes: [UInt8], from start: Int) -> (range: Range<Int>, isClosed: Bool) {
        var position = start
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\\"): position += 2
            case UInt8(ascii: "\""): return (start..<position, true)
            default: position += 1
            }
        }
        return (start..<bytes.count, false)
    }

    /// Returns the unescaped string.
    ///
    /// An invalid escape sequence loses only its backslash.
    package static func unescaped(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        guard bytes.contains(UInt8(ascii: "\\")) else { return Array(bytes) }
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count)
        var position = bytes.startIndex
        var high: UInt32?
        while position < bytes.endIndex {
            let byte = bytes[position]
            guard byte == UInt8(ascii: "\\"), position + 1 < bytes.endIndex else {
                output.append(byte)
                high = nil
                position += 1
                continue
            }
            let next = bytes[position + 1]
            guard next == UInt8(ascii: "u"), let unit = unit(in: bytes, at: position + 2) else {
                output.append(character(of: next))
                high = nil
                position += 2
                continue
            }
            position += 6
            if let first = high, (0xDC00..<0xE000).contains(unit) {
                // The scalar of the pair replaces the replacement character that stands for the high surrogate.
                output.removeLast(3)
                output.appendScalar(0x1_0000 + ((first - 0xD800) << 10) + (unit - 0xDC00))
                high = nil
            } else {
                output.appendScalar(unit)
                high = (0xD800..<0xDC00).contains(unit) ? unit : nil
            }
        }
        return output
    }

    /// Returns a quoted string.
    package static func quoted(_ bytes: [UInt8]) -> [UInt8] {
        var output = [UInt8(ascii: "\"")]
        for byte in String(decoding: bytes, as: UTF8.self).utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): output += [UInt8(ascii: "\\"), byte]
            case 0x0A: output += "\\n".utf8
            case 0x0D: output += "\\r".utf8
            case 0x09: output += "\\t".utf8
            case 0..<0x20: output += "\\u00\(byte < 16 ? "0" : "")\(String(byte, radix: 16))".utf8
            default: output.append(byte)
            }
        }
        return output + [UInt8(ascii: "\"")]
    }

    /// Returns the code unit that four hexadecimal digits represent.
    package static func unit(in bytes: ArraySlice<UInt8>, at position: Int) -> UInt32? {
        guard position + 4 <= bytes.endIndex else { return nil }
        return bytes[position..<(position + 4)].reduce(UInt32?(0)) { unit, byte in
            guard let unit, let digit = byte.hexValue else { return nil }
            return unit << 4 | UInt32(digit)
        }
    }

    /// Returns the character that an escape sequence of two characters stands for.
    static func character(of escape: UInt8) -> UInt8 {
        switch escape {
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "t"): 0x09
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        default: escape
        }
    }
}

extension [UInt8] {
    /// Appends a scalar in UTF-8, or the replacement character if the value is not a scalar.
    package mutating func appendScalar(_ value: UInt32) {
        let scalar = Unicode.Scalar(value) ?? "\u{FFFD}"
        append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }
}

extension UInt8 {
    /// The value of a hexadecimal digit, ignoring case.
    ///
    /// The property is declared here, and not in the folder `Text`, because the module of that folder is above this one.
    @inlinable package var hexValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
