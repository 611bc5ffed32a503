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

    /// Parses a domain, `*.` and a domain, or `!` and a domain of at least two labels.
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
