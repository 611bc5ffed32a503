/// A pattern of bytes in which `***` matches any bytes.
struct MaskedPattern {
    private static let placeholder = Array(HARSecrets.placeholder.utf8)
    private let parts: [ArraySlice<UInt8>]

    init(_ bytes: some Sequence<UInt8>) {
        let bytes = Array(bytes)
        var parts: [ArraySlice<UInt8>] = []
        var start = 0
        var position = 0
        while position + Self.placeholder.count <= bytes.count {
            if bytes[position..<(position + Self.placeholder.count)].elementsEqual(Self.placeholder) {
                parts.append(bytes[start..<position])
                position += Self.placeholder.count
                start = position
            } else {
                position += 1
            }
        }
        self.parts = parts + [bytes[start...]]
    }

    /// Whether the pattern contains `***`.
    var isMasked: Bool { parts.count > 1 }

    /// Returns whether the pattern matches.
    ///
    /// Each part is found as early as possible, which makes backtracking unnecessary.
    func matches(_ bytes: some Sequence<UInt8>) -> Bool {
        let bytes = Array(bytes)
        guard isMasked, let first = parts.first, let last = parts.last else { return false }
        guard bytes.count >= first.count + last.count, bytes.starts(with: first), bytes.suffix(last.count) == last
        else {
            return false
        }
        var rest = bytes[first.count..<(bytes.count - last.count)]
        for part in parts.dropFirst().dropLast() where !part.isEmpty {
            guard let found = rest.firstRange(of: part) else { return false }
            rest = rest[found.upperBound...]
        }
        return true
    }
}

extension ExactText {
    /// Returns whether a text matches this recorded one, in which `***` matches any bytes.
    func isMatched(by actual: ExactText) -> Bool {
        self == actual || MaskedPattern(string.utf8).matches(actual.string.utf8)
    }
}
