extension String {
    /// The text as one word for bash and zsh, typed or in a script. Only NUL cannot be said.
    var shellWord: String {
        // A terminal takes other control characters for keys.
        unicodeScalars.contains { $0.isControl && $0 != "\n" && $0 != "\t" } ? ansiQuoted : doubleQuoted
    }

    /// In double quotes, with all that a shell would interpret there escaped.
    private var doubleQuoted: String {
        var result = "\""
        var isAtLineStart = false
        for scalar in unicodeScalars {
            switch scalar {
            case "\\", "\"", "$", "`":
                result += "\\\(scalar)"
            case "!":
                // Typed, it would recall a command, also after a backslash, which would stay.
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

    /// In ANSI-C quotes, where escapes stand for control characters (POSIX.1-2024, section 2.2.4).
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
