import HTTPTypes

/// A text that was decoded from the bytes of a field value, and that can be encoded to the same bytes again.
///
/// Field values are bytes (RFC 9110, section 5.5). They are decoded as UTF-8 if they are valid UTF-8, and otherwise as ISO 8859-1,
/// in which every byte is a character. Two texts are equal if their bytes are equal.
@usableFromInline package struct FieldText: Hashable, Sendable {
    /// The text.
    package let text: String
    /// Whether the bytes encode the text in ISO 8859-1; otherwise they encode it in UTF-8.
    package let isLatin1: Bool

    /// Creates a text whose bytes are its UTF-8.
    @inlinable package init(_ text: String) { self.init(text: text, isLatin1: false) }

    @usableFromInline init(text: String, isLatin1: Bool) { (self.text, self.isLatin1) = (text, isLatin1) }

    /// Decodes bytes.
    @inlinable package init(bytes: some Collection<UInt8>) {
        if let text = String(validUTF8: bytes) {
            self.init(text)
        } else {
            self.init(text: String(latin1: bytes), isLatin1: true)
        }
    }

    /// Creates the text that has these bytes in ISO 8859-1; `nil` if it has other characters.
    package init?(latin1 text: String) {
        guard text.unicodeScalars.allSatisfy({ $0.value <= 0xFF }) else { return nil }
        self.init(bytes: text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) })
    }

    /// The bytes.
    package var bytes: [UInt8] {
        isLatin1 ? text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) } : Array(text.utf8)
    }

    /// The number of bytes.
    package var count: Int { isLatin1 ? text.unicodeScalars.count : text.utf8.count }

    /// Returns whether the bytes are equal.
    ///
    /// Texts are not compared as strings, because equal strings can have different bytes.
    @usableFromInline package static func == (lhs: FieldText, rhs: FieldText) -> Bool {
        lhs.isLatin1 == rhs.isLatin1 && lhs.text.utf8.elementsEqual(rhs.text.utf8)
    }

    /// Hashes the bytes.
    @usableFromInline package func hash(into hasher: inout Hasher) {
        hasher.combine(isLatin1)
        for byte in text.utf8 { hasher.combine(byte) }
        hasher.combine(text.utf8.count)
    }
}

extension FieldText {
    /// The text, with a leading NUL if the bytes are ISO 8859-1, so that different bytes have different storable texts.
    ///
    /// No field value contains a NUL.
    package var storable: String { isLatin1 ? "\0\(text)" : text }

    /// Creates a text from its ``storable`` form.
    package init(storable text: String) {
        let rest = text.utf8.first == 0 ? String(text.unicodeScalars.dropFirst()) : nil
        self = rest.flatMap { FieldText(latin1: $0) } ?? FieldText(text)
    }
}

extension String {
    /// Decodes ISO 8859-1.
    @usableFromInline init(latin1 bytes: some Collection<UInt8>) {
        var scalars = String.UnicodeScalarView()
        for byte in bytes { scalars.append(Unicode.Scalar(byte)) }
        self.init(scalars)
    }

    /// Decodes UTF-8, and percent-encodes the bytes that are not valid UTF-8.
    ///
    /// This is for URLs, because a parser of URLs later percent-encodes the valid characters as UTF-8.
    package init(escapingInvalidUTF8 bytes: some Collection<UInt8>) {
        if let text = String(validUTF8: bytes) {
            self = text
            return
        }
        let bytes = Array(bytes)
        let digits = Array("0123456789ABCDEF".utf8)
        var escaped: [UInt8] = []
        var (parser, iterator, position) = (Unicode.UTF8.ForwardParser(), bytes.makeIterator(), 0)
        while true {
            switch parser.parseScalar(from: &iterator) {
            case .valid(let scalar):
                escaped += scalar
                position += scalar.count
            case .error(let length):
                for byte in bytes[position..<position + length] {
                    escaped += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
                }
                position += length
            case .emptyInput:
                self.init(decoding: escaped, as: UTF8.self)
                return
            }
        }
    }
}

extension HTTPField {
    /// Creates a field with the bytes of a text.
    package init(name: Name, value: FieldText) {
        if value.isLatin1 {
            self.init(name: name, value: value.bytes)
        } else {
            self.init(name: name, value: value.text)
        }
    }

    /// Whether the value is valid UTF-8.
    package var isUTF8: Bool {
        var decoded = value
        return withUnsafeBytesOfValue { bytes in
            decoded.withUTF8 { text in
                // A field stores a valid value as a string, and then both buffers usually have the same address.
                text.baseAddress == bytes.baseAddress || text.count == bytes.count && text.elementsEqual(bytes)
            }
        }
    }

    /// The bytes of the value.
    package var bytes: [UInt8] { withUnsafeBytesOfValue { Array($0) } }

    /// The value as text that keeps its bytes.
    package var fieldText: FieldText { isUTF8 ? FieldText(value) : FieldText(bytes: bytes) }

    /// The value as UTF-8, or as ISO 8859-1 if it is not valid UTF-8.
    package var text: String { isUTF8 ? value : FieldText(bytes: bytes).text }
}

extension HTTPFields {
    /// The value of a field as text that keeps its bytes, with several lines joined by commas; `nil` without the field.
    package subscript(text name: HTTPField.Name) -> FieldText? {
        guard contains(name) else { return nil }
        let lines = self[fields: name]
        guard lines.count > 1 else { return lines.first?.fieldText }
        return FieldText(bytes: Array(lines.map(\.bytes).joined(separator: ", ".utf8)))
    }

    /// The values of a field's lines, in the form of ``FieldText/storable``.
    package subscript(storable name: HTTPField.Name) -> [String] { self[fields: name].map(\.fieldText.storable) }

    /// Sets a field to one line with the bytes of a text.
    package mutating func set(_ name: HTTPField.Name, _ value: FieldText) {
        self[fields: name] = [HTTPField(name: name, value: value)]
    }
}
