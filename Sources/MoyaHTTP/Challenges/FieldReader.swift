/// Reads the parts of which header values are made (RFC 9110, section 5.6), from the front. Each byte is read once or
/// twice, whatever it is.
struct FieldReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

    var isAtEnd: Bool { position >= bytes.count }
    var next: UInt8? { isAtEnd ? nil : bytes[position] }

    mutating func skip(while condition: (UInt8) -> Bool) {
        while let next, condition(next) { position += 1 }
    }

    mutating func skipSpace() { skip(while: \.isFieldSpace) }

    /// Passes the byte if it comes next.
    mutating func pass(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        position += 1
        return true
    }

    /// What stands before the first byte that is no part of it; may be empty.
    mutating func take(while condition: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        let start = position
        skip(while: condition)
        return bytes[start..<position]
    }

    /// A `token68` (RFC 9110, section 11.2) that a comma or the end follows. If there is none, nothing is read.
    mutating func takeToken68() -> String? {
        let start = position
        var text = take(while: \.isToken68)
        guard !text.isEmpty else { return nil }
        skip { $0 == UInt8(ascii: "=") }
        text = bytes[start..<position]
        skipSpace()
        guard isAtEnd || next == .comma else {
            position = start
            return nil
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The content of a quoted string, whose opening quote has been passed. Nil if it does not end.
    mutating func takeQuoted() -> [UInt8]? {
        var content: [UInt8] = []
        while let byte = next {
            position += 1
            if byte == .quote { return content }
            if byte == .backslash {
                guard let escaped = next else { return nil }
                position += 1
                content.append(escaped)
            } else {
                content.append(byte)
            }
        }
        return nil
    }

    /// Passes what is left of an element of a list, up to the comma; one between quotes does not count.
    mutating func skipElement() {
        while let byte = next, byte != .comma {
            position += 1
            if byte == .quote { _ = takeQuoted() }
        }
    }
}

extension UInt8 {
    static let comma = UInt8(ascii: ",")
    static let quote = UInt8(ascii: "\"")
    static let backslash = UInt8(ascii: "\\")

    /// OWS (RFC 9110, section 5.6.3).
    var isFieldSpace: Bool { self == 0x20 || self == 0x09 }

    /// A character of a token (RFC 9110, section 5.6.2).
    var isToken: Bool { isAlphanumeric || Self.tokenMarks.contains(self) }

    /// A character of a `token68`, but for the `=` at its end (RFC 9110, section 11.2).
    var isToken68: Bool { isAlphanumeric || Self.token68Marks.contains(self) }

    /// A character that RFC 8187, section 3.2.1, leaves unescaped.
    var isAttributeCharacter: Bool { isToken && !"*'%".utf8.contains(self) }

    private static let tokenMarks = Array("!#$%&'*+-.^_`|~".utf8)
    private static let token68Marks = Array("-._~+/".utf8)
}
