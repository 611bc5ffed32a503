/// Text that is escaped for HTML content and attributes.
struct HTML: Equatable, Sendable {
    let text: String

    init(_ text: some StringProtocol) {
        var escaped = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped.append(contentsOf: "&amp;".unicodeScalars)
            case "<": escaped.append(contentsOf: "&lt;".unicodeScalars)
            case ">": escaped.append(contentsOf: "&gt;".unicodeScalars)
            case "\"": escaped.append(contentsOf: "&quot;".unicodeScalars)
            case "'": escaped.append(contentsOf: "&#39;".unicodeScalars)
            case "\t", "\n": escaped.append(scalar)
            default:
                escaped.append(TerminalText.isSafe(scalar) ? scalar : "\u{FFFD}")
            }
        }
        self.text = String(escaped)
    }
}
