/// Rules about public suffixes as a sorted text, which is searched as it is. Pure.
///
/// Each line is a domain, and a mark for what holds there. All marks, and the line feed, sort before the bytes of
/// domains.
struct PublicSuffixRules {
    /// What a line says about its domain.
    struct Marks: OptionSet {
        let rawValue: UInt8

        /// It is a public suffix.
        static let suffix = Marks(rawValue: 1)
        /// Each name right below it is one.
        static let wildcard = Marks(rawValue: 2)
        /// It is none, though a wildcard covers it.
        static let exception = Marks(rawValue: 4)

        /// How they are written before the line feed.
        var text: String {
            if contains(.exception) { return "!" }
            if contains(.wildcard) { return contains(.suffix) ? "+" : "*" }
            return ""
        }

        init(rawValue: UInt8) { self.rawValue = rawValue }

        init(byte: UInt8) {
            self =
                switch byte {
                case UInt8(ascii: "!"): .exception
                case UInt8(ascii: "*"): .wildcard
                case UInt8(ascii: "+"): [.suffix, .wildcard]
                default: .suffix
                }
        }
    }

    /// Where in a name its public suffix begins, and its registrable domain if there is more.
    struct Match: Equatable {
        var suffix: Int
        var domain: Int?
    }

    private let text: UnsafeBufferPointer<UInt8>

    init(_ text: UnsafeBufferPointer<UInt8>) { self.text = text }

    /// The algorithm of publicsuffix.org: an exception prevails, else the longest rule, else the rule `*`.
    ///
    /// - Parameter name: A canonical host name; it may end with a dot.
    func match(_ name: [UInt8]) -> Match {
        let end = name.last == UInt8(ascii: ".") ? name.count - 1 : name.count
        let dots = name[..<end].indices.filter { name[$0] == UInt8(ascii: ".") }
        let starts = [0] + dots.map { $0 + 1 }
        var first = starts.count - 1
        search: for label in starts.indices {
            let marks = marks(of: name[starts[label]..<end])
            if marks.contains(.exception) {
                // The rule without its first label; an exception has two labels at least.
                first = min(label + 1, starts.count - 1)
                break search
            }
            if marks.contains(.wildcard), label > 0 { first = min(first, label - 1) }
            if marks.contains(.suffix) { first = min(first, label) }
        }
        return Match(suffix: starts[first], domain: first > 0 ? starts[first - 1] : nil)
    }

    /// Bisection over the text's bytes.
    private func marks(of domain: ArraySlice<UInt8>) -> Marks {
        var low = 0
        var high = text.count
        while low < high {
            var start = low + (high - low) / 2
            while start > low, text[start - 1] != UInt8(ascii: "\n") { start -= 1 }
            var position = start
            var rest = domain
            while let byte = rest.first, position < text.count, text[position] == byte {
                rest = rest.dropFirst()
                position += 1
            }
            let isAtEnd = position == text.count || Self.isMark(text[position])
            if isAtEnd, rest.isEmpty { return Marks(byte: position < text.count ? text[position] : 0) }
            let isBefore = isAtEnd || (rest.first.map { text[position] < $0 } ?? false)
            if isBefore {
                while position < text.count, text[position] != UInt8(ascii: "\n") { position += 1 }
                low = position + 1
            } else {
                high = start
            }
        }
        return []
    }

    private static func isMark(_ byte: UInt8) -> Bool { byte < UInt8(ascii: "-") }
}
