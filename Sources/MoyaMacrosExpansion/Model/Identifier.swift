#if Macros
    import SwiftParser
    import SwiftSyntax

    extension String {
        /// The name without the backticks that it may be written in.
        var withoutBackticks: String {
            hasPrefix("`") && hasSuffix("`") && count > 2 ? String(dropFirst().dropLast()) : self
        }

        /// The name as it is written in code: in backticks if the language needs them.
        var asIdentifier: String {
            let isPlain = isValidSwiftIdentifier(for: .variableName) && !Self.expressionKeywords.contains(self)
            return isPlain ? self : "`\(self)`"
        }

        /// The name as the label of an argument: the compiler warns of backticks that a label does not need.
        var asCallLabel: String {
            let name = withoutBackticks
            let isWord = name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" } && name.first?.isNumber == false
            return isWord && name != "inout" ? name : "`\(name)`"
        }

        /// Words that are valid names, but mean something else in front of an expression or a pattern.
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
