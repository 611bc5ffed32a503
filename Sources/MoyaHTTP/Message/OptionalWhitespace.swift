extension StringProtocol where UTF8View: BidirectionalCollection {
    /// The text without leading and trailing spaces and tabs, which are not part of a field value (RFC 9110,
    /// section 5.6.3).
    package var withoutOptionalWhitespace: String {
        let isBlank = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        guard let first = utf8.first, let last = utf8.last, isBlank(first) || isBlank(last) else { return String(self) }
        let start = utf8.firstIndex { !isBlank($0) } ?? endIndex
        guard let end = utf8.lastIndex(where: { !isBlank($0) }) else { return "" }
        return String(self[start..<utf8.index(after: end)])
    }
}
