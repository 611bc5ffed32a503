extension String {
    /// The text as one word for bash and zsh, interactive or in a script.
    ///
    /// NUL cannot be represented.
    var shellWord: String {
        // A terminal would interpret other control characters as key presses.
        unicodeScalars.contains { $0.isControl && $0 != "\n" && $0 != "\t" } ? ansiQuoted : doubleQuoted
    }

    /// The text in double quotes, escaped for a shell.
    private var doubleQuoted: String {
        var result = "\""
        var isAtLineStart = false
        for scalar in unicodeScalars {
            switch scalar {
            case "\\", "\"", "$", "`":
                result += "\\\(scalar)"
            case "!":
                // In an interactive shell it would expand the history, even after a backslash, which would remain.
                result += "\"'!'\""
            case "^" where isAtLineStart:
                result += "\"'^'\""
            default:
                result.unicodeScalars.append(scalar)
            }
            isAtLineStart = scalar == "\n"
        }
        return result + "\""
    }

    /// The text in ANSI-C quotes, with escapes for control characters (POSIX.1-2024, section 2.2.4).
    private var ansiQuoted: String {
        var result = "$'"
        for scalar in unicodeScalars {
            switch scalar {
            case "\\", "'": result += "\\\(scalar)"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case _ where scalar.isControl || scalar == "!":
                let digits = String(scalar.value, radix: 8)
                result += "\\" + String(repeating: "0", count: 3 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "'"
    }
}

extension Unicode.Scalar {
    fileprivate var isControl: Bool { value < 0x20 || value == 0x7F }
}
