/// A `Content-Range` header in bytes (RFC 9110, section 14.4).
///
/// The parser is strict: it returns `nil` for a malformed header.
package struct ContentRange: Equatable, Sendable {
    /// The range of the body in bytes; `nil` for `*`, which is sent with status 416.
    package let range: ClosedRange<Int64>?
    /// The total length; `nil` for `*`, which means unknown.
    package let total: Int64?

    /// ``range`` as a half-open range.
    package var positions: Range<Int64>? { range.map { Range($0) } }

    package init?(_ text: String) {
        // "bytes 0-499/1234", "bytes 0-499/*" or "bytes */1234"
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let parts = words[1].split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }

        total = Self.number(parts[1])
        guard total != nil || parts[1] == "*" else { return nil }
        guard parts[0] != "*" else {
            guard total != nil else { return nil }
            range = nil
            return
        }
        let positions = parts[0].split(separator: "-", omittingEmptySubsequences: false)
        guard positions.count == 2, let first = Self.number(positions[0]), let last = Self.number(positions[1]),
            // With a last position of Int64.max, the number of bytes could overflow; no file is that large.
            first <= last, last < Int64.max, last < total ?? Int64.max
        else { return nil }
        range = first...last
    }

    /// Parses digits; `nil` if there are other characters or the number overflows.
    package static func number(_ text: some StringProtocol) -> Int64? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            return nil
        }
        return Int64(text)
    }
}
