#if Macros
/// A computed property that returns a value for each case.
struct CaseProperty {
    /// The declaration, such as `public var path: String`.
    var declaration: String
    /// The values, with the parameters that they use.
    var values: [(endpoint: Endpoint, value: String, names: Set<String>)] = []

    mutating func add(_ endpoint: Endpoint, _ value: String, using names: [String] = []) {
        values.append((endpoint, value, Set(names)))
    }

    /// The lines of the property, without a switch if all cases have the same value.
    var lines: [String] {
        if let first = values.first, values.allSatisfy({ $0.value == first.value && $0.names.isEmpty }) {
            return ["\(declaration) { \(first.value) }"]
        }
        var groups: [(patterns: [String], value: String)] = []
        for (endpoint, value, names) in values {
            let pattern = endpoint.pattern(binding: names)
            if names.isEmpty, let index = groups.firstIndex(where: { $0.value == value }) {
                groups[index].patterns.append(pattern)
            } else {
                groups.append(([pattern], value))
            }
        }
        let cases = groups.flatMap { group in
            // Each `return` is a separate statement. Without it, the compiler solves the values of all cases at once, whose time is not
            // linear in the number of cases.
            wrapped(group.patterns)
                + CodeText.indented(
                    "return \(group.value)".split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
                )
        }
        return ["\(declaration) {"] + CodeText.indented(["switch self {"] + cases + ["}"]) + ["}"]
    }

    /// Returns the patterns of one case, in lines.
    private func wrapped(_ patterns: [String]) -> [String] {
        var lines = ["case"]
        for (index, pattern) in patterns.enumerated() {
            let text = pattern + (index == patterns.count - 1 ? ":" : ",")
            if lines[lines.count - 1].count + text.count < 100 {
                lines[lines.count - 1] += " " + text
            } else {
                lines.append("    " + text)
            }
        }
        return lines
    }
}

extension Endpoint {
    /// Returns a pattern that binds the given parameters.
    func pattern(binding names: Set<String>) -> String {
        guard !names.isEmpty else { return ".\(caseName.asIdentifier)" }
        let values = parameters.map { names.contains($0.name) ? "let \($0.code)" : "_" }
        return ".\(caseName.asIdentifier)(\(values.joined(separator: ", ")))"
    }
}
#endif
