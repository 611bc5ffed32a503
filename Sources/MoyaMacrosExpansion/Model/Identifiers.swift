#if Macros
import SwiftParser
import SwiftSyntax

extension String {
    /// The name without backticks.
    var withoutBackticks: String {
        hasPrefix("`") && hasSuffix("`") && count > 2 ? String(dropFirst().dropLast()) : self
    }

    /// The text with its first letter in upper case.
    var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }

    /// The text with its first word in lower case: `URLShortener` becomes `urlShortener`.
    var uncapitalizedFirstWord: String {
        let capitals = prefix { $0.isUppercase }
        // The last capital of several begins the next word.
        let length = capitals.count > 1 && capitals.count < count ? capitals.count - 1 : capitals.count
        return prefix(length).lowercased() + dropFirst(length)
    }

    /// The name in code, with backticks if the language requires them.
    var asIdentifier: String {
        let isPlain = isValidSwiftIdentifier(for: .variableName) && !Self.expressionKeywords.contains(self)
        return isPlain ? self : "`\(self)`"
    }

    /// The name as an argument label, for which the compiler warns about unnecessary backticks.
    var asCallLabel: String {
        let name = withoutBackticks
        let isWord = name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" } && name.first?.isNumber == false
        return isWord && name != "inout" ? name : "`\(name)`"
    }

    /// Words that are valid names, but have another meaning before an expression or a pattern.
    private static let expressionKeywords: Set = [
        "any", "async", "await", "borrow", "borrowing", "consume", "consuming", "copy", "discard", "each", "inout",
        "init", "isolated", "nonisolated", "repeat", "self", "sending", "some", "super", "then", "unsafe", "yield",
    ]
}

extension TokenSyntax {
    /// The token's text without backticks.
    var plainName: String { text.withoutBackticks }
}
#endif
