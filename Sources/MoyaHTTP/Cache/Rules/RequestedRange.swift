import HTTPTypes

/// The single byte range that a request specifies (RFC 9110, section 14.1.2).
enum RequestedRange: Equatable, Sendable {
    /// The bytes from a position through another one; `nil` for the end.
    case from(Int64, through: Int64?)
    /// This number of bytes at the end.
    case last(Int64)

    /// Parses the value of `Range`; `nil` for several ranges, another unit or invalid text.
    init?(_ text: String) {
        let text = text.lowercased()
        guard text.hasPrefix("bytes=") else { return nil }
        let parts = text.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false).map(
            \.withoutOptionalWhitespace
        )
        guard parts.count == 2 else { return nil }
        switch (ContentRange.number(parts[0]), ContentRange.number(parts[1])) {
        case (let first?, let last?) where first <= last: self = .from(first, through: last)
        case (let first?, nil) where parts[1].isEmpty: self = .from(first, through: nil)
        case (nil, let count?) where parts[0].isEmpty && count > 0: self = .last(count)
        default: return nil
        }
    }

    /// Returns the positions in a body of this length; `nil` if there are none.
    func positions(in length: Int64) -> Range<Int64>? {
        switch self {
        case .from(let first, let last):
            guard first < length else { return nil }
            return first..<(last.map { min($0, length - 1) } ?? length - 1) + 1
        case .last(let count):
            guard length > 0 else { return nil }
            return max(0, length - count)..<length
        }
    }
}
