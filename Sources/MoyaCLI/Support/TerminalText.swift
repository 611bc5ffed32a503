/// Text with control and invisible characters replaced, so that it is safe to print on a terminal.
struct TerminalText: Equatable, Sendable {
    let text: String

    init(_ text: some StringProtocol) {
        var safe = String.UnicodeScalarView()
        for scalar in text.unicodeScalars { safe.append(Self.isSafe(scalar) ? scalar : "\u{FFFD}") }
        self.text = String(safe)
    }

    /// The width in terminal columns.
    var width: Int { text.unicodeScalars.reduce(0) { $0 + Self.columns(of: $1) } }

    /// Returns the text with exactly the given width, truncated with `…` or padded with spaces.
    func fitted(to columns: Int, alignsRight: Bool = false) -> String {
        guard width > columns else {
            let spaces = String(repeating: " ", count: columns - width)
            return alignsRight ? spaces + text : text + spaces
        }
        var fitted = String.UnicodeScalarView()
        var used = 0
        for scalar in text.unicodeScalars {
            guard used + Self.columns(of: scalar) < columns else { break }
            used += Self.columns(of: scalar)
            fitted.append(scalar)
        }
        guard columns > 0 else { return "" }
        return String(fitted) + "…" + String(repeating: " ", count: max(0, columns - used - 1))
    }

    static func isSafe(_ scalar: Unicode.Scalar) -> Bool {
        // ASCII is checked first, because looking up a category is slow.
        if scalar.isASCII { return scalar.value >= 0x20 && scalar.value != 0x7F }
        switch scalar.properties.generalCategory {
        // These categories contain escape characters, directional marks, joiners, line ends and unassigned characters.
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: return false
        default: return true
        }
    }

    private static func columns(of scalar: Unicode.Scalar) -> Int {
        if scalar.isASCII { return 1 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark: return 0
        default: break
        }
        // These ranges are approximately the wide East Asian and pictographic characters (Unicode Standard Annex 11).
        switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
            0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
            return 2
        default:
            return 1
        }
    }
}
