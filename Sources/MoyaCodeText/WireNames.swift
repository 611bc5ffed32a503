/// Derives the names in requests from the Swift names of an API's parameters, as `@API` does.
package enum WireNames {
    /// Returns a name in snake case: `perPage` becomes `per_page`.
    package static func snakeCase(_ name: String) -> String {
        words(name).map { $0.lowercased() }.joined(separator: "_")
    }

    /// Returns the name of a header: `ifNoneMatch` becomes `If-None-Match`.
    package static func header(_ name: String) -> String {
        words(name).map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(separator: "-")
    }

    /// Splits a name into words: `userURLPath` becomes `user`, `URL` and `Path`.
    private static func words(_ name: String) -> [String] {
        var words: [String] = []
        let characters = Array(name)
        for (index, character) in characters.enumerated() {
            let next = index + 1 < characters.count ? characters[index + 1] : nil
            let last = index > 0 ? characters[index - 1] : nil
            let isStart =
                character.isUppercase && last != nil && (last?.isUppercase == false || next?.isLowercase == true)
            if words.isEmpty || isStart || last == "_" { words.append("") }
            if character != "_" { words[words.count - 1].append(character) }
        }
        return words.filter { !$0.isEmpty }
    }
}
