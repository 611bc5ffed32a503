/// The words of a name in a document.
package struct Words: Hashable, Sendable {
    /// The words in lower case.
    package var all: [String]

    package init(_ all: [String]) { self.all = all }

    /// Splits a name at its separators, its changes of case, and symbols, which become words.
    package init(of name: String) {
        var words: [String] = []
        var word = ""
        func finish() {
            if !word.isEmpty { words.append(word.lowercased()) }
            word = ""
        }
        let characters = Array(name)
        for (index, character) in characters.enumerated() {
            let next = index + 1 < characters.count ? characters[index + 1] : nil
            guard character.isLetter || character.isNumber else {
                // An apostrophe belongs to its word: "user's".
                if character == "'" || character == "\u{2019}" { continue }
                finish()
                if let symbol = Self.symbol(character, isFirst: words.isEmpty, next: next) { words += symbol }
                continue
            }
            if let last = word.last {
                let isStart =
                    character.isUppercase
                    && (last.isLowercase || last.isNumber
                        || next.map { $0.isLowercase && !Self.isPluralEnd(characters, index) } ?? false)
                if isStart { finish() }
            }
            word.append(character)
        }
        finish()
        all = Self.joinedBrands(words)
    }

    package var isEmpty: Bool { all.isEmpty }

    package static func + (lhs: Words, rhs: Words) -> Words { Words(lhs.all + rhs.all) }

    /// Whether the letter at an index is followed by the `s` of a plural of an acronym, as in `userIDs`.
    private static func isPluralEnd(_ characters: [Character], _ index: Int) -> Bool {
        guard index + 1 < characters.count, characters[index + 1] == "s" else { return false }
        return index + 2 == characters.count || !characters[index + 2].isLowercase
    }

    private static func symbol(_ character: Character, isFirst: Bool, next: Character?) -> [String]? {
        switch character {
        case "+": isFirst || next == nil || next == "+" ? ["plus"] : nil
        case "-": isFirst && next?.isNumber == true ? ["minus"] : nil
        case "*": ["any"]
        case "=": ["equals"]
        case "<": ["less"]
        case ">": ["greater"]
        case "!": ["not"]
        case "&": ["and"]
        case "%": ["percent"]
        case "@" where isFirst && next == nil: ["at"]
        case "#" where !isFirst && next == nil: ["sharp"]
        default: nil
        }
    }

    /// Joins words that are one name: `Git` and `Hub`.
    private static func joinedBrands(_ words: [String]) -> [String] {
        let brands = [
            ["git", "hub"], ["git", "lab"], ["o", "auth"], ["o", "auth2"], ["you", "tube"], ["linked", "in"],
            ["pay", "pal"], ["java", "script"], ["type", "script"], ["web", "hook"], ["web", "hooks"],
            ["i", "pv4"], ["i", "pv6"], ["i", "os"], ["i", "pad"], ["i", "phone"], ["mac", "os"], ["graph", "ql"],
        ]
        var joined: [String] = []
        for word in words {
            if let last = joined.last, brands.contains([last, word]) {
                joined[joined.count - 1] = last + word
            } else {
                joined.append(word)
            }
        }
        return joined
    }

    /// The words with the last one in the singular.
    package var singular: Words {
        guard let last = all.last else { return self }
        return Words(all.dropLast() + [Self.singular(of: last)])
    }

    private static let irregularSingulars = [
        "people": "person", "children": "child", "men": "man", "women": "woman", "indices": "index",
        "vertices": "vertex",
        "matrices": "matrix", "criteria": "criterion", "statuses": "status", "aliases": "alias", "buses": "bus",
        "series": "series", "news": "news", "species": "species", "movies": "movie", "cookies": "cookie", "ids": "id",
        "caches": "cache", "axes": "axis", "analyses": "analysis", "responses": "response", "licenses": "license",
        "databases": "database", "releases": "release", "purchases": "purchase", "expenses": "expense", "cases": "case",
        "courses": "course", "phases": "phase", "bases": "base", "houses": "house", "uses": "use", "causes": "cause",
        "pauses": "pause", "leases": "lease", "warehouses": "warehouse", "invoices": "invoice", "prices": "price",
        "taxes": "tax", "apis": "api", "sms": "sms", "dns": "dns", "https": "https", "aws": "aws", "os": "os",
        "tls": "tls", "css": "css", "sales": "sale", "lens": "lens",
    ]

    private static func singular(of word: String) -> String {
        if let irregular = irregularSingulars[word] { return irregular }
        if word.hasSuffix("ies"), word.count > 4 { return word.dropLast(3) + "y" }
        for ending in ["sses", "shes", "ches", "xes", "zzes"] where word.hasSuffix(ending) {
            return String(word.dropLast(2))
        }
        for ending in ["ss", "us", "is", "ics", "ous"] where word.hasSuffix(ending) { return word }
        return word.hasSuffix("s") && word.count > 2 ? String(word.dropLast()) : word
    }
}
