#if Macros
/// Functions that create Swift code as lines of text.
enum CodeText {
    /// Returns a string literal.
    static func literal(_ text: String) -> String { "\"\(escaped(text))\"" }

    /// Returns a text escaped for a string literal; everything that could end the literal or the line is escaped.
    static func escaped(_ text: String) -> String {
        text.unicodeScalars.map { scalar in
            switch scalar {
            case "\\": "\\\\"
            case "\"": "\\\""
            case "\n": "\\n"
            case "\r": "\\r"
            case "\t": "\\t"
            default:
                scalar.properties.isWritable ? String(scalar) : "\\u{\(String(scalar.value, radix: 16))}"
            }
        }.joined()
    }

    /// Returns a list in brackets: one line if it is short enough, otherwise one line for each element.
    ///
    /// - Parameters:
    ///   - opening: The text before the list.
    ///   - elements: The elements.
    ///   - closing: The text after the list.
    ///   - room: The number of columns.
    /// - Returns: The lines.
    static func list(opening: String, _ elements: [String], closing: String, room: Int) -> [String] {
        let line = opening + elements.joined(separator: ", ") + closing
        guard line.count > room, !elements.isEmpty else { return [line] }
        let lines = elements.indices.map { elements[$0] + ($0 == elements.indices.last ? "" : ",") }
        return [opening] + indented(lines) + [closing]
    }

    /// Returns the lines, indented.
    static func indented(_ lines: [String], by level: Int = 1) -> [String] {
        lines.map { $0.isEmpty ? $0 : String(repeating: "    ", count: level) + $0 }
    }

    /// Returns a dictionary literal.
    static func dictionary(_ entries: [(key: String, value: String)]) -> String {
        entries.isEmpty
            ? "[:]" : "[" + entries.map { "\(literal($0.key)): \($0.value)" }.joined(separator: ", ") + "]"
    }
}

extension Unicode.Scalar.Properties {
    /// Whether a literal can contain the scalar unescaped: no control characters, separators or invisible
    /// characters.
    fileprivate var isWritable: Bool {
        switch generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
        default: true
        }
    }
}
#endif
