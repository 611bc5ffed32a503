import MoyaJSON

// Functions that are called for each byte or field are inlinable, here and in other files, because the compiler inlines and
// specializes other package declarations only within their module.

extension UInt8 {
    @inlinable package var isLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }
    @inlinable package var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
    @inlinable package var isAlphanumeric: Bool { isLetter || isDigit }
    @inlinable package var isHexDigit: Bool { hexValue != nil }

    /// Whether the byte is optional whitespace (RFC 9110, section 5.6.3).
    @inlinable package var isFieldSpace: Bool { self == 0x20 || self == 0x09 }
}

extension UnsafeRawBufferPointer {
    /// Returns whether the bytes are those of an ASCII text.
    @inlinable package func isEqual(to text: StaticString) -> Bool {
        guard count == text.utf8CodeUnitCount else { return false }
        for index in 0..<count where self[index] != text.utf8Start[index] { return false }
        return true
    }

    /// The bytes without leading and trailing optional whitespace (RFC 9110, section 5.6.3).
    @inlinable package var withoutOptionalWhitespace: UnsafeRawBufferPointer {
        var (start, end) = (0, count)
        while start < end, self[start].isFieldSpace { start += 1 }
        while start < end, self[end - 1].isFieldSpace { end -= 1 }
        return UnsafeRawBufferPointer(rebasing: self[start..<end])
    }
}

extension StringProtocol where UTF8View: BidirectionalCollection {
    /// The text without leading and trailing optional whitespace, which is not part of a field value.
    @inlinable package var withoutOptionalWhitespace: String {
        guard let first = utf8.first, let last = utf8.last, first.isFieldSpace || last.isFieldSpace else {
            return String(self)
        }
        let start = utf8.firstIndex { !$0.isFieldSpace } ?? endIndex
        guard let end = utf8.lastIndex(where: { !$0.isFieldSpace }) else { return "" }
        return String(self[start..<utf8.index(after: end)])
    }
}

extension String {
    /// The text without leading and trailing optional whitespace: as for any other text, but faster if there is none.
    @inlinable package var withoutOptionalWhitespace: String {
        var text = self
        let hasWhitespace = text.withUTF8 { $0.first?.isFieldSpace ?? false || $0.last?.isFieldSpace ?? false }
        return hasWhitespace ? self[...].withoutOptionalWhitespace : self
    }

    /// The elements of a comma-separated list in lowercase, without the empty ones (RFC 9110, section 5.6.1).
    @inlinable package var lowercasedListElements: [String] {
        split(separator: ",").map { $0.withoutOptionalWhitespace.lowercased() }.filter { !$0.isEmpty }
    }
}

extension String {
    /// Decodes UTF-8; `nil` if the bytes are invalid.
    ///
    /// Unlike `String(data:encoding:)` it keeps a byte order mark. `String(validating:as:)` is equivalent, but
    /// requires macOS 15 or iOS 18.
    @inlinable package init?(validUTF8 bytes: some Collection<UInt8>) {
        self.init(decoding: bytes, as: UTF8.self)
        // Invalid bytes have been replaced by U+FFFD.
        guard utf8.elementsEqual(bytes) else { return nil }
    }
}
