import HTTPTypes

/// An entity tag (RFC 9110, section 8.8.3).
struct EntityTag: Equatable, Sendable {
    /// The bytes of the tag without the prefix of a weak tag, for the weak comparison.
    let opaque: ArraySlice<UInt8>
    /// Whether the tag is `*`, which every tag matches.
    let isAny: Bool

    /// Whether the tag of a response can be sent in `If-None-Match`.
    ///
    /// A tag without quotes can, because servers send such tags.
    var isValidator: Bool { !isAny && !opaque.isEmpty }

    init(_ tag: FieldText) { self.init(tag.bytes) }

    private init(_ bytes: [UInt8]) {
        var bytes = bytes[...].drop(while: \.isFieldSpace)
        while bytes.last?.isFieldSpace == true { bytes.removeLast() }
        isAny = bytes.elementsEqual("*".utf8)
        opaque = bytes.starts(with: "W/".utf8) ? bytes.dropFirst(2) : bytes
    }

    /// Returns the tags of a list.
    static func list(_ lines: [HTTPField]) -> [EntityTag] {
        lines.flatMap { line -> [EntityTag] in
            var tags: [EntityTag] = []
            var reader = FieldReader(line.bytes)
            while !reader.isAtEnd {
                reader.skip { $0.isFieldSpace || $0 == .comma }
                var tag = Array(reader.take { $0 != .comma && $0 != .quote })
                if reader.skipIf(.quote) {
                    // A backslash is an ordinary character in a tag.
                    tag += [.quote] + reader.take { $0 != .quote } + [.quote]
                    _ = reader.skipIf(.quote)
                }
                if !tag.isEmpty { tags.append(EntityTag(tag)) }
            }
            return tags
        }
    }
}
