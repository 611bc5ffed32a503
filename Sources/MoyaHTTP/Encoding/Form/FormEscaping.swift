/// Which characters stay as they are in names and values of a form or a query, and how a space is written.
struct FormEscaping {
    let rule: URLEncodedFormEncoder.Escaping
    let space: URLEncodedFormEncoder.SpaceEncoding

    /// The text, percent-encoded in UTF-8 (RFC 3986, section 2.5).
    func escape(_ text: String) -> String {
        if text.utf8.allSatisfy(isPlain) { return text }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count + 16)
        append(text, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends the escaped text.
    func append(_ text: String, to bytes: inout [UInt8]) {
        for byte in text.utf8 {
            if isPlain(byte) {
                bytes.append(byte)
            } else if byte == UInt8(ascii: " "), space == .plus {
                bytes.append(UInt8(ascii: "+"))
            } else {
                bytes.append(UInt8(ascii: "%"))
                bytes.append(Self.hexDigit(byte >> 4))
                bytes.append(Self.hexDigit(byte & 0xF))
            }
        }
    }

    private func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
            true
        case UInt8(ascii: "~"), UInt8(ascii: "/"), UInt8(ascii: "?"):
            rule == .rfc3986
        case UInt8(ascii: "*"):
            rule == .whatwg
        default:
            false
        }
    }

    private static func hexDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }
}

/// Escaped pairs, `name=value` with `&` between them.
struct FormText {
    private(set) var bytes: [UInt8] = []
    private let escaping: FormEscaping

    init(escaping: FormEscaping) { self.escaping = escaping }

    mutating func append(name: String, value: String) {
        if !bytes.isEmpty { bytes.append(UInt8(ascii: "&")) }
        escaping.append(name, to: &bytes)
        bytes.append(UInt8(ascii: "="))
        escaping.append(value, to: &bytes)
    }

    var text: String { String(decoding: bytes, as: UTF8.self) }
}
