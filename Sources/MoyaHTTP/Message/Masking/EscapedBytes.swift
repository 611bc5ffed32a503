/// Bytes with any number of levels of percent-encoding (RFC 3986, section 2.1).
struct EscapedBytes {
    struct Token {
        let byte: UInt8
        /// The index after the token.
        let end: Int
        /// The number of levels of percent-encoding.
        let depth: Int
    }

    let bytes: [UInt8]

    func token(at position: Int) -> Token {
        let plain = Token(byte: bytes[position], end: position + 1, depth: 0)
        guard plain.byte == UInt8(ascii: "%") else { return plain }
        var start = position + 1
        var depth = 1
        while escape(at: start) == UInt8(ascii: "%"), escape(at: start + 2) != nil {
            start += 2
            depth += 1
        }
        return escape(at: start).map { Token(byte: $0, end: start + 2, depth: depth) } ?? plain
    }

    /// Returns the byte that two hexadecimal digits represent.
    private func escape(at position: Int) -> UInt8? {
        guard position + 1 < bytes.count, let high = bytes[position].hexValue, let low = bytes[position + 1].hexValue
        else { return nil }
        return high << 4 | low
    }
}

extension UInt8 {
    /// Whether the byte is whitespace in JSON (RFC 8259, section 2), and thus in HTTP.
    var isJSONSpace: Bool { self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D }

    /// Whether the byte cannot be part of a URL in a text (RFC 3986, section 2).
    var endsURL: Bool {
        switch self {
        case 0...0x20, UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"): true
        default: false
        }
    }
}
