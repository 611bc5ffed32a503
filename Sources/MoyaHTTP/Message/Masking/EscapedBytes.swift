/// Reads bytes through percent-encoding (RFC 3986, section 2.1), however often it was applied.
struct EscapedBytes {
    struct Token {
        let byte: UInt8
        /// After the token's last byte.
        let end: Int
        /// How often the byte was percent-encoded.
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

    /// The byte that two hexadecimal digits stand for.
    private func escape(at position: Int) -> UInt8? {
        guard position + 1 < bytes.count, let high = bytes[position].hexValue, let low = bytes[position + 1].hexValue
        else { return nil }
        return high << 4 | low
    }
}

extension UInt8 {
    /// White space of JSON (RFC 8259, section 2), which is that of HTTP and its bodies, too.
    var isJSONSpace: Bool { self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D }

    /// Whether a URL in a text ends before this byte (RFC 3986, section 2).
    var endsURL: Bool {
        switch self {
        case 0...0x20, UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"): true
        default: false
        }
    }
}
