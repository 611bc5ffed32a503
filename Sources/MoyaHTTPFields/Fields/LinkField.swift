/// A link of a `Link` header (RFC 8288, section 3).
///
/// A list element that is not a link is skipped, and the others are kept. A link with an `anchor` belongs to another resource than
/// the requested one, and is left out (section 3.2).
package struct LinkField: Equatable, Sendable {
    /// The URL as received: absolute, or relative to the URL of the response.
    package let target: String
    /// The relation types in lowercase, because they are compared without regard to case (section 2.1).
    package let relations: [String]

    package init(target: String, relations: [String]) { (self.target, self.relations) = (target, relations) }

    /// Returns the links of a header's value in the order received; several header lines are joined by commas.
    package static func links(in value: String) -> [LinkField] {
        var links: [LinkField] = []
        var reader = FieldReader(value.utf8)
        while true {
            // A list may have empty elements (RFC 9110, section 5.6.1.2).
            reader.skip { $0 == .comma || $0.isFieldSpace }
            guard !reader.isAtEnd else { return links }
            guard let (link, hasAnchor) = reader.takeLink() else {
                reader.skipElement()
                continue
            }
            if !hasAnchor { links.append(link) }
        }
    }
}

extension FieldReader {
    /// Reads a link before a comma or the end, and whether it has an anchor; `nil` if there is none at this position.
    fileprivate mutating func takeLink() -> (link: LinkField, hasAnchor: Bool)? {
        guard skipIf(UInt8(ascii: "<")) else { return nil }
        let target = String(decoding: take { $0 != UInt8(ascii: ">") }, as: UTF8.self)
        guard skipIf(UInt8(ascii: ">")) else { return nil }
        var relations: [String]?
        var hasAnchor = false
        while true {
            skipSpace()
            if isAtEnd || next == .comma { break }
            guard skipIf(.semicolon) else { return nil }
            skipSpace()
            // A parameter may be missing between two semicolons (RFC 8288, section 3).
            if isAtEnd || next == .comma || next == .semicolon { continue }
            guard let (name, value) = takeParameter() else { return nil }
            switch name {
            case "anchor": hasAnchor = true
            // Only the first of several `rel` parameters counts (section 3.3).
            case "rel": relations = relations ?? value.lowercased().split { $0.isWhitespace }.map(String.init)
            default: break
            }
        }
        return (LinkField(target: target, relations: relations ?? []), hasAnchor)
    }

    /// Reads a parameter, with its name in lowercase; `nil` if it has no name.
    private mutating func takeParameter() -> (name: String, value: String)? {
        let name = String(decoding: take(while: \.isToken), as: UTF8.self).lowercased()
        guard !name.isEmpty else { return nil }
        skipSpace()
        guard skipIf(.equals) else { return (name, "") }
        skipSpace()
        // As in appendix B.3 and B.4: servers send values that are no tokens, and the end of the header may cut off a quoted text.
        if skipIf(.quote) { return (name, String(decoding: takeQuoted().content, as: UTF8.self)) }
        let value = take { $0 != .semicolon && $0 != .comma }
        return (name, String(decoding: value, as: UTF8.self).withoutOptionalWhitespace)
    }
}
