/// Collects lines of code with their indentation.
struct CodeLines {
    /// The length of a line, including its indentation.
    static let width = 120

    private(set) var lines: [String] = []
    private var level = 0

    var text: String { lines.joined(separator: "\n") + "\n" }

    mutating func add(_ line: String = "") {
        lines.append(line.isEmpty ? "" : String(repeating: "    ", count: level) + line)
    }

    mutating func add(_ more: [String]) { for line in more { add(line) } }

    /// Adds an empty line, unless it would follow an opening brace or another empty line.
    mutating func separate() {
        guard let last = lines.last, !last.isEmpty, !last.hasSuffix("{") else { return }
        lines.append("")
    }

    /// Adds lines between braces.
    mutating func block(_ opening: String, closing: String = "}", _ body: (inout CodeLines) -> Void) {
        add(opening + " {")
        level += 1
        body(&self)
        level -= 1
        add(closing)
    }

    /// Adds lines that are indented once more.
    mutating func indented(_ body: (inout CodeLines) -> Void) {
        level += 1
        body(&self)
        level -= 1
    }

    /// The columns that are left for a line.
    var room: Int { Self.width - 4 * level }

    /// Adds a list in one line, or one element a line.
    mutating func list(_ opening: String, _ elements: [String], _ closing: String) {
        let line = opening + elements.joined(separator: ", ") + closing
        guard line.count > room, !elements.isEmpty else { return add(line) }
        add(opening)
        indented { lines in
            for (index, element) in elements.enumerated() {
                lines.add(element + (index == elements.count - 1 ? "" : ","))
            }
        }
        add(closing)
    }

    // MARK: Comments

    /// Adds a documentation comment, whose first sentence stands alone, with the descriptions of parameters.
    mutating func document(
        _ documentation: Documentation,
        or fallback: String? = nil,
        notes: [String] = [],
        parameters: [ParameterComment] = []
    ) {
        let start = lines.count
        document(documentation, or: fallback, notes)
        guard let first = parameters.first else { return }
        if lines.count > start { comment("") }
        if parameters.count == 1 {
            return comment(first.text, after: "- Parameter \(first.name): ", indentation: "  ")
        }
        comment("- Parameters:")
        for parameter in parameters {
            comment(parameter.text, after: "  - \(parameter.name): ", indentation: "    ")
        }
    }

    private mutating func document(_ documentation: Documentation, or fallback: String?, _ notes: [String]) {
        let summary = documentation.summary.map(CommentText.plain).flatMap { $0.isEmpty ? nil : $0 }
        guard let text = summary ?? fallback else {
            for (index, note) in notes.enumerated() {
                if index > 0 { comment("") }
                comment(note)
            }
            return
        }
        let (first, rest) = CommentText.split(text)
        comment(first)
        var paragraphs = rest.isEmpty ? [] : [rest]
        if let details = documentation.details { paragraphs += CommentText.paragraphs(details) }
        paragraphs = paragraphs.filter { $0 != first && $0 != text }
        for paragraph in CommentText.limited(paragraphs) + notes {
            comment("")
            comment(paragraph)
        }
    }

    /// Adds an item of a list to a documentation comment.
    private mutating func comment(_ text: String, after label: String, indentation: String) {
        let words = CommentText.wrapped(text, room: room - 4 - label.count)
        for (index, line) in words.enumerated() { add("/// " + (index == 0 ? label : indentation) + line) }
    }

    /// Adds a paragraph of a documentation comment.
    mutating func comment(_ text: String) {
        guard !text.isEmpty else { return add("///") }
        for line in CommentText.wrapped(text, room: room - 4) { add("/// " + line) }
    }
}

/// The description of a parameter for a documentation comment.
struct ParameterComment {
    var name: String
    var text: String
}
