/// The escaping of names and values in a form or a query.
struct FormEscaping {
    let rule: URLEncodedFormEncoder.Escaping
    let space: URLEncodedFormEncoder.SpaceEncoding

    /// Returns the escaped text.
    func escaped(_ text: String) -> String {
        var bytes: [UInt8] = []
        append(text, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends the text, percent-encoded in UTF-8 (RFC 3986, section 2.5).
    func append(_ text: String, to bytes: inout [UInt8]) {
        let kept: ASCIISet = rule == .rfc3986 ? .query : .form
        for byte in text.utf8 {
            if kept.contains(byte) {
                bytes.append(byte)
            } else if byte == UInt8(ascii: " "), space == .plus {
                bytes.append(UInt8(ascii: "+"))
            } else {
                bytes.appendPercentEncoded(byte)
            }
        }
    }
}

/// Escaped pairs: `name=value`, separated by `&`.
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
