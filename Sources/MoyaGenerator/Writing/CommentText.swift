/// Prepares texts of a document for comments.
enum CommentText {
    /// The length of the comment of a declaration, after which paragraphs are left out.
    private static let limit = 600

    /// Returns a text in one line, without the markup of HTML.
    static func plain(_ text: String) -> String {
        guard let first = paragraphs(text).first else { return "" }
        return first
    }

    /// Returns the paragraphs of a text, each in one line.
    static func paragraphs(_ text: String) -> [String] {
        var paragraphs: [String] = []
        var lines: [String] = []
        var isCode = false
        func finish() {
            let joined = lines.joined(separator: " ")
            lines = []
            let words = joined.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            if !words.isEmpty { paragraphs.append(words) }
        }
        for line in withoutMarkup(text).split(separator: "\n", omittingEmptySubsequences: false) {
            let trimmed = line.trimmingPrefix(while: \.isWhitespace)
            if trimmed.hasPrefix("```") {
                isCode.toggle()
                finish()
                continue
            }
            // Code, tables, lists and headings are left out, because they need their lines.
            if isCode { continue }
            if trimmed.allSatisfy(\.isWhitespace) {
                finish()
            } else if ["#", "|", ">", "---", "==="].contains(where: trimmed.hasPrefix) {
                finish()
            } else if ["- ", "* ", "+ "].contains(where: trimmed.hasPrefix) {
                finish()
            } else {
                lines.append(String(trimmed))
            }
        }
        finish()
        return paragraphs
    }

    /// Removes tags of HTML, and decodes the usual entities.
    private static func withoutMarkup(_ text: String) -> String {
        guard text.contains("<") || text.contains("&") else { return text }
        var result = ""
        var rest = text[...]
        while let start = rest.firstIndex(of: "<") {
            result += rest[..<start]
            let after = rest.index(after: start)
            guard after < rest.endIndex, rest[after].isLetter || rest[after] == "/" || rest[after] == "!",
                let end = rest[after...].firstIndex(of: ">"), rest.distance(from: start, to: end) < 400
            else {
                result.append("<")
                rest = rest[after...]
                continue
            }
            let tag = rest[after..<end].lowercased()
            if tag.hasPrefix("p") || tag.hasPrefix("/p") || tag.hasPrefix("ul") || tag.hasPrefix("li") {
                result += "\n\n"
            }
            if tag.hasPrefix("br") { result += "\n" }
            rest = rest[rest.index(after: end)...]
        }
        result += rest
        let entities = ["&lt;": "<", "&gt;": ">", "&quot;": "\"", "&#39;": "'", "&nbsp;": " ", "&amp;": "&"]
        for (entity, character) in entities.sorted(by: { $0.key > $1.key }) where result.contains("&") {
            result = result.replacing(entity, with: character)
        }
        return result
    }

    /// Returns the first sentence of a description with a period; `nil` without a text.
    static func firstSentence(of description: String?) -> String? {
        guard let text = description.map(plain), !text.isEmpty else { return nil }
        return split(text).first
    }

    /// Returns the first sentence of a value's description, its default, and its deprecation.
    static func notes(_ description: String?, default value: String?, isDeprecated: Bool) -> [String] {
        let hasDefault = description.map(plain)?.lowercased().contains("default") == true
        let note = hasDefault ? nil : value.flatMap(defaultNote)
        return [firstSentence(of: description), note, isDeprecated ? "Deprecated." : nil].compactMap(\.self)
    }

    private static func defaultNote(_ value: String) -> String? {
        let text = value.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return text.count > 40 || text.contains("`") ? nil : "The server's default is `\(text)`."
    }

    /// Returns the first sentence with a period, and the rest.
    static func split(_ text: String) -> (first: String, rest: String) {
        var index = text.startIndex
        while index < text.endIndex {
            let next = text.index(after: index)
            let isEnd = ".!?".contains(text[index]) && next < text.endIndex && text[next] == " "
            if isEnd { return (terminated(String(text[..<next])), String(text[text.index(after: next)...])) }
            index = next
        }
        return (terminated(text), "")
    }

    private static func terminated(_ text: String) -> String {
        var text = text
        while let last = text.last, ":;,-".contains(last) || last.isWhitespace { text.removeLast() }
        guard let last = text.last else { return "A value." }
        return ".!?".contains(last) ? text : text + "."
    }

    /// Returns the first paragraphs within the limit.
    static func limited(_ paragraphs: [String]) -> [String] {
        var length = 0
        var kept: [String] = []
        for paragraph in paragraphs {
            length += paragraph.count
            guard length <= limit else { break }
            kept.append(paragraph)
        }
        return kept
    }

    /// Returns the lines of a paragraph.
    static func wrapped(_ text: String, room: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            if !line.isEmpty, line.count + 1 + word.count > room {
                lines.append(line)
                line = ""
            }
            line += (line.isEmpty ? "" : " ") + word
        }
        if !line.isEmpty { lines.append(line) }
        return lines
    }
}
