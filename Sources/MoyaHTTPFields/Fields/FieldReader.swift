/// A reader for the components of header values (RFC 9110, section 5.6).
///
/// The reader takes linear time: it reads each byte of any input once or twice.
@usableFromInline package struct FieldReader {
    @usableFromInline let bytes: [UInt8]
    @usableFromInline var position = 0

    @inlinable package init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

    @inlinable package var isAtEnd: Bool { position >= bytes.count }
    @inlinable package var next: UInt8? { isAtEnd ? nil : bytes[position] }

    @inlinable package mutating func skip(while condition: (UInt8) -> Bool) {
        while let next, condition(next) { position += 1 }
    }

    @inlinable package mutating func skipSpace() { skip(while: \.isFieldSpace) }

    /// Consumes the byte if it is the next one; returns whether it was consumed.
    @inlinable package mutating func skipIf(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        position += 1
        return true
    }

    /// Reads and returns the bytes before the first one that does not satisfy the condition; there may be none.
    @inlinable package mutating func take(while condition: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        let start = position
        skip(while: condition)
        return bytes[start..<position]
    }

    /// Reads a `token68` (RFC 9110, section 11.2) before a comma or the end; otherwise consumes nothing and returns `nil`.
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

    /// Reads the content of a quoted string after its opening quote, and whether there is a closing quote.
    package mutating func takeQuoted() -> (content: [UInt8], isTerminated: Bool) {
        var content: [UInt8] = []
        while let byte = next {
            position += 1
            if byte == .quote { return (content, true) }
            if byte == .backslash, let escaped = next {
                position += 1
                content.append(escaped)
            } else {
                content.append(byte)
            }
        }
        return (content, false)
    }

    /// Reads and returns the bytes before the first one outside quotes that does not satisfy the condition; there may be none.
    package mutating func takeUnlessQuoted(while condition: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        let start = position
        while let byte = next, condition(byte) {
            position += 1
            if byte == .quote { _ = takeQuoted() }
        }
        return bytes[start..<position]
    }

    /// Skips the rest of a list element, up to the next comma outside quotes.
    package mutating func skipElement() { _ = takeUnlessQuoted { $0 != .comma } }
}

/// A header value with parameters, such as `text/html; charset=utf-8` (RFC 9110, section 5.6.6), parsed leniently.
///
/// Text that is not a parameter is skipped, a value may contain anything but a semicolon, and the closing quote of a quoted
/// string may be missing.
package struct ParameterizedField {
    /// The text before the first semicolon; empty if this text is a parameter, because some servers omit the value.
    package let value: String
    /// The parameters in the order received, including duplicates, with lowercase names.
    package let parameters: [(name: String, value: String)]

    package init(_ text: String) {
        var reader = FieldReader(text.utf8)
        let start = reader
        let value = reader.take { $0 != .semicolon && $0 != .equals }
        if reader.next == .equals {
            self.value = ""
            reader = start
        } else {
            self.value = String(decoding: value, as: UTF8.self).withoutOptionalWhitespace
        }
        var parameters: [(name: String, value: String)] = []
        while !reader.isAtEnd {
            reader.skip { $0 == .semicolon || $0.isFieldSpace }
            let name = reader.take { $0 != .semicolon && $0 != .equals }
            guard reader.skipIf(.equals) else { continue }
            reader.skipSpace()
            let value: String
            if reader.skipIf(.quote) {
                value = String(decoding: reader.takeQuoted().content, as: UTF8.self)
                reader.skip { $0 != .semicolon }
            } else {
                value = String(decoding: reader.take { $0 != .semicolon }, as: UTF8.self).withoutOptionalWhitespace
            }
            parameters.append((String(decoding: name, as: UTF8.self).withoutOptionalWhitespace.lowercased(), value))
        }
        self.parameters = parameters
    }
}

extension UInt8 {
    @inlinable package static var comma: UInt8 { UInt8(ascii: ",") }
    @inlinable package static var semicolon: UInt8 { UInt8(ascii: ";") }
    @inlinable package static var equals: UInt8 { UInt8(ascii: "=") }
    @inlinable package static var quote: UInt8 { UInt8(ascii: "\"") }
    @inlinable package static var backslash: UInt8 { UInt8(ascii: "\\") }

    /// Whether the byte is an ASCII control character, including the tab.
    @inlinable package var isControlCharacter: Bool { self < 0x20 || self == 0x7F }

    /// Whether the byte is allowed in a token (RFC 9110, section 5.6.2).
    @inlinable package var isToken: Bool { isAlphanumeric || Self.tokenMarks.contains(self) }

    /// Whether the byte is allowed in a `token68`, apart from the trailing `=` (RFC 9110, section 11.2).
    var isToken68: Bool { isAlphanumeric || Self.token68Marks.contains(self) }

    /// Whether RFC 8187, section 3.2.1, leaves the byte unescaped.
    package var isAttributeCharacter: Bool { isToken && !"*'%".utf8.contains(self) }

    @usableFromInline static let tokenMarks = Array("!#$%&'*+-.^_`|~".utf8)
    private static let token68Marks = Array("-._~+/".utf8)
}
