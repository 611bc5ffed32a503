/// An entity tag (RFC 9110, section 8.8.3).
struct EntityTag: Equatable, Sendable {
    /// The tag without the mark of a weak one: what a weak comparison compares.
    let opaque: Substring
    /// Whether it is the `*` that any tag matches.
    let isAny: Bool

    init(_ text: String) {
        let text = text.withoutOptionalWhitespace
        isAny = text == "*"
        opaque = text.hasPrefix("W/") ? text.dropFirst(2) : Substring(text)
    }

    /// Returns the tags of a list.
    static func list(_ values: [String]) -> [EntityTag] {
        values.flatMap { value -> [EntityTag] in
            var tags: [EntityTag] = []
            var reader = FieldReader(value.utf8)
            while !reader.isAtEnd {
                reader.skip { $0.isFieldSpace || $0 == .comma }
                var text = String(decoding: reader.take { $0 != .comma && $0 != .quote }, as: UTF8.self)
                if reader.pass(.quote) {
                    // A backslash is an ordinary character in a tag.
                    text += "\"" + String(decoding: reader.take { $0 != .quote }, as: UTF8.self) + "\""
                    _ = reader.pass(.quote)
                }
                if !text.isEmpty { tags.append(EntityTag(text)) }
            }
            return tags
        }
    }
}
