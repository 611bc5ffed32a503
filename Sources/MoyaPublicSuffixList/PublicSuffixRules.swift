/// The rules for public suffixes as sorted text for a binary search.
///
/// Each line is a domain, followed by a mark for its rules. All marks, and the line feed, sort before the bytes of
/// domains.
struct PublicSuffixRules {
    /// The rules for the domain of a line.
    struct Marks: OptionSet {
        let rawValue: UInt8

        /// The domain is a public suffix.
        static let suffix = Marks(rawValue: 1)
        /// Each direct subdomain is a public suffix.
        static let wildcard = Marks(rawValue: 2)
        /// The domain is not a public suffix, although a wildcard matches it.
        static let exception = Marks(rawValue: 4)

        /// The mark before the line feed.
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

    /// The positions in a name at which its public suffix and its registrable domain start; `domain` is `nil` if there is none.
    struct Match: Equatable {
        var suffix: Int
        var domain: Int?
    }

    private let text: UnsafeBufferPointer<UInt8>

    init(_ text: UnsafeBufferPointer<UInt8>) { self.text = text }

    /// Applies the algorithm of publicsuffix.org to a canonical host name, which may end with a dot.
    ///
    /// An exception takes precedence, then the longest rule, then the rule `*`.
    func match(_ name: [UInt8]) -> Match {
        let end = name.last == UInt8(ascii: ".") ? name.count - 1 : name.count
        let dots = name[..<end].indices.filter { name[$0] == UInt8(ascii: ".") }
        let starts = [0] + dots.map { $0 + 1 }
        var first = starts.count - 1
        search: for label in starts.indices {
            let marks = marks(of: name[starts[label]..<end])
            if marks.contains(.exception) {
                // The suffix is the rule without its first label; an exception has at least two labels.
                first = min(label + 1, starts.count - 1)
                break search
            }
            if marks.contains(.wildcard), label > 0 { first = min(first, label - 1) }
            if marks.contains(.suffix) { first = min(first, label) }
        }
        return Match(suffix: starts[first], domain: first > 0 ? starts[first - 1] : nil)
    }

    /// Returns the marks of a domain by a binary search of the text.
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

extension PublicSuffixRules {
    /// Converts a list in the format of publicsuffix.org into searchable text.
    static func parse(_ text: String) throws(PublicSuffixListError) -> [UInt8] {
        var marks: [String: Marks] = [:]
        var number = 0
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            number += 1
            // A rule ends at the first whitespace; the rest is ignored.
            let line = number == 1 && line.first == "\u{FEFF}" ? line.dropFirst() : line
            let rule = line.drop(while: \.isWhitespace).prefix { !$0.isWhitespace }
            if rule.isEmpty || rule.hasPrefix("//") { continue }
            guard let (domain, mark) = read(rule) else {
                throw .invalidRule(line: number, String(rule.prefix(80)))
            }
            marks[domain, default: []].formUnion(mark)
        }
        guard !marks.isEmpty else { throw .empty }
        return Array(
            marks.map { (Array($0.key.utf8), $0.value) }
                .sorted { $0.0.lexicographicallyPrecedes($1.0) }
                .map { $0.0 + Array($0.1.text.utf8) }
                .joined(separator: [UInt8(ascii: "\n")])
        )
    }

    /// Parses a rule: a domain, or `*.` and a domain, or `!` and a domain of at least two labels.
    private static func read(_ rule: Substring) -> (String, Marks)? {
        if rule.hasPrefix("*.") { return canonical(rule.dropFirst(2)).map { ($0, .wildcard) } }
        guard rule.hasPrefix("!") else { return canonical(rule).map { ($0, .suffix) } }
        guard let domain = canonical(rule.dropFirst()), domain.contains(".") else { return nil }
        return (domain, .exception)
    }

    private static func canonical(_ domain: Substring) -> String? {
        guard let name = DomainName.canonical(String(domain)), !name.hasSuffix(".") else { return nil }
        return name
    }
}
