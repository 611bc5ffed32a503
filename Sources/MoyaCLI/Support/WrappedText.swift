/// A text wrapped into lines of at most 80 columns.
///
/// A line ends at a space, before the dot of a chained call, or within a word that is longer than a line.
struct WrappedText {
    /// The width of a line in columns.
    static let width = 80

    let lines: [String]

    /// Wraps a text.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - start: The columns before the text on its first line.
    ///   - indentation: The spaces before the text on other lines.
    init(_ text: String, start: Int, indentation: Int) {
        var lines: [String] = []
        var (line, column) = ("", start)
        func endLine() {
            lines.append(line)
            (line, column) = (String(repeating: " ", count: indentation), indentation)
        }
        for word in Self.words(text) {
            let width = TerminalText(word).width - (word.last == " " ? 1 : 0)
            let first = lines.isEmpty ? start : indentation
            if column + width > Self.width, column > first { endLine() }
            for character in word {
                let width = TerminalText(String(character)).width
                if column + width > Self.width, character != " " { endLine() }
                line.append(character)
                column += width
            }
        }
        lines.append(line)
        self.lines = lines.map { line in
            var line = Substring(line)
            while line.last == " " { line.removeLast() }
            return String(line)
        }
    }

    /// The parts between which a line may end.
    private static func words(_ text: String) -> [String] {
        var words = [""]
        var previous: Character?
        for character in text {
            if previous == " " || (previous == ")" && character == ".") { words.append("") }
            words[words.count - 1].append(character)
            previous = character
        }
        return words
    }
}
