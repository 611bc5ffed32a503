#if Macros
/// Parses templates.
struct TemplateParser {
    /// A mistake in a template, with its offset in bytes.
    struct Problem: Error, Equatable {
        enum Kind: Equatable {
            case noSlash
            case unclosedBrace
            case strayBrace
            case badName(String)
            case badCharacter(Character)
            case badEscape
            case dotSegment
            case emptySegment
            /// A parameter as in other libraries: `/:id`.
            case colon(String)
            case fragment
            case badQueryItem(String)
            case duplicateItem(String)
        }

        var kind: Kind
        var offset: Int
    }

    /// Parses the value of a header, or another text with parameters.
    static func parsePieces(_ text: String) throws(Problem) -> [TemplatePiece] {
        var pieces: [TemplatePiece] = []
        var plain = ""
        var rest = text[...]
        while let character = rest.first {
            let offset = text.utf8.distance(from: text.startIndex, to: rest.startIndex)
            switch character {
            case "{":
                guard let end = rest.firstIndex(of: "}") else {
                    throw Problem(kind: .unclosedBrace, offset: offset)
                }
                let name = String(rest[rest.index(after: rest.startIndex)..<end])
                guard name.isIdentifier else { throw Problem(kind: .badName(name), offset: offset) }
                if !plain.isEmpty { pieces.append(.text(plain)) }
                plain = ""
                pieces.append(.variable(name, offset: offset))
                rest = rest[rest.index(after: end)...]
            case "}":
                throw Problem(kind: .strayBrace, offset: offset)
            default:
                plain.append(character)
                rest = rest.dropFirst()
            }
        }
        if !plain.isEmpty { pieces.append(.text(plain)) }
        return pieces
    }

    /// Parses a path with its query.
    static func parseTemplate(_ text: String) throws(Problem) -> PathTemplate {
        guard text.isEmpty || text.hasPrefix("/") else { throw Problem(kind: .noSlash, offset: 0) }
        let mark = text.firstIndex(of: "?") ?? text.endIndex
        let pathText = String(text[..<mark])
        var template = PathTemplate(path: try parsePieces(pathText))
        try checkPath(pathText)
        guard mark < text.endIndex else { return template }
        let start = text.index(after: mark)
        var offset = text.utf8.distance(from: text.startIndex, to: start)
        for item in text[start...].split(separator: "&", omittingEmptySubsequences: false) {
            let length = item.utf8.count
            let item = try parseQueryItem(String(item), offset: offset)
            guard !template.query.contains(where: { $0.name == item.name }) else {
                throw Problem(kind: .duplicateItem(item.name), offset: offset)
            }
            template.query.append(item)
            offset += length + 1
        }
        return template
    }

    private static func parseQueryItem(_ text: String, offset: Int) throws(Problem) -> PathTemplate.Item {
        if let hash = text.firstIndex(of: "#") {
            throw Problem(kind: .fragment, offset: offset + text.utf8.distance(from: text.startIndex, to: hash))
        }
        let bad = Problem(kind: .badQueryItem(text), offset: offset)
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let name = String(parts[0]).unescaped, !name.isEmpty,
            !name.contains(where: { "{}".contains($0) })
        else { throw bad }
        let value: [TemplatePiece]
        do {
            value = try parsePieces(String(parts[1]))
        } catch {
            throw Problem(kind: error.kind, offset: offset + parts[0].utf8.count + 1 + error.offset)
        }
        switch value.first {
        case nil: return PathTemplate.Item(name: name, value: .text(""))
        case .text(let text)? where value.count == 1:
            guard let text = text.unescaped else { throw bad }
            return PathTemplate.Item(name: name, value: .text(text))
        case .variable(let variable, let place)? where value.count == 1:
            let place = offset + parts[0].utf8.count + 1 + place
            return PathTemplate.Item(name: name, value: .variable(variable, offset: place))
        default: throw bad
        }
    }

    /// Checks the text between the parameters.
    private static func checkPath(_ text: String) throws(Problem) {
        var offset = 0
        var isInside = false
        var previous: Character?
        for (index, character) in zip(text.indices, text) {
            defer {
                offset += character.utf8.count
                previous = character
            }
            if character == "{" { isInside = true }
            if character == "}" { isInside = false }
            guard !isInside, character != "}" else { continue }
            if character == "/", previous == "/" { throw Problem(kind: .emptySegment, offset: offset) }
            if character == "#" { throw Problem(kind: .fragment, offset: offset) }
            if character == "%" {
                guard text[index...].dropFirst().prefix(2).count(where: \.isHexDigit) == 2 else {
                    throw Problem(kind: .badEscape, offset: offset)
                }
            } else if !character.isAllowedInPath {
                throw Problem(kind: .badCharacter(character), offset: offset)
            }
        }
        offset = 0
        for segment in text.split(separator: "/", omittingEmptySubsequences: false) {
            if [".", ".."].contains(segment.lowercased().replacing("%2e", with: ".")) {
                throw Problem(kind: .dotSegment, offset: offset)
            }
            if let name = segment.nameAfterColon { throw Problem(kind: .colon(name), offset: offset) }
            offset += segment.utf8.count + 1
        }
    }
}

extension Character {
    /// Whether a path may contain the character unescaped (RFC 3986, section 3.3).
    var isAllowedInPath: Bool {
        isASCII && (isLetter || isNumber || "-._~!$&'()*+,;=:@/".contains(self))
    }
}

extension Substring {
    /// The name in a segment that begins like `:name`; `nil` for other segments, such as `name:verb`.
    var nameAfterColon: String? {
        guard hasPrefix(":") else { return nil }
        let name = String(dropFirst().prefix { $0.isLetter || $0.isNumber || $0 == "_" })
        return name.isIdentifier ? name : nil
    }
}

extension String {
    /// Whether the text can be the name of a parameter.
    var isIdentifier: Bool {
        guard let first, first.isLetter || first == "_" else { return false }
        return allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    }

    /// The text with percent-encoding removed; `nil` if it is invalid.
    fileprivate var unescaped: String? {
        var bytes: [UInt8] = []
        var rest = utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16), rest.count >= 2
            else {
                return nil
            }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        let text = String(decoding: bytes, as: UTF8.self)
        // Decoding replaces invalid UTF-8, so the bytes differ.
        return text.utf8.elementsEqual(bytes) ? text : nil
    }
}
#endif
