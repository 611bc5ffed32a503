#if Macros
import MoyaCodeText

/// Functions that create Swift code as lines of text.
enum CodeText {
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
            ? "[:]" : "[" + entries.map { "\(SwiftText.literal($0.key)): \($0.value)" }.joined(separator: ", ") + "]"
    }
}
#endif
