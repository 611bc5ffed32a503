import HTTPTypes

/// An entity tag (RFC 9110, section 8.8.3).
package struct EntityTag: Equatable, Sendable {
    /// The bytes of the tag without the prefix of a weak tag, for the weak comparison.
    package let opaque: ArraySlice<UInt8>
    /// Whether the tag is `*`, which every tag matches.
    package let isAny: Bool
    /// Whether the tag begins with `W/`.
    let isWeak: Bool

    /// Whether the tag of a response identifies a representation, so that it can be sent in `If-None-Match`.
    ///
    /// A tag without quotes does, because servers send such tags.
    var isValidator: Bool { !isAny && !opaque.isEmpty }

    /// Whether the tag is valid and strong, so that it can be sent in `If-Range`.
    package var isStrong: Bool {
        !isWeak && opaque.count >= 2 && opaque.first == .quote && opaque.last == .quote
            && opaque.dropFirst().dropLast().allSatisfy {
                $0 == 0x21 || (0x23...0x7E).contains($0) || $0 >= 0x80
            }
    }

    package init(_ tag: FieldText) { self.init(tag.bytes) }

    private init(_ bytes: [UInt8]) {
        var bytes = bytes[...].drop(while: \.isFieldSpace)
        while bytes.last?.isFieldSpace == true { bytes.removeLast() }
        isAny = bytes.elementsEqual("*".utf8)
        isWeak = bytes.starts(with: "W/".utf8)
        opaque = isWeak ? bytes.dropFirst(2) : bytes
    }

    /// Returns the `ETag` of a response; `nil` if it has none that identifies a representation.
    package static func validator(in headers: HTTPFields) -> FieldText? {
        headers[text: .eTag].flatMap { EntityTag($0).isValidator ? $0 : nil }
    }

    /// Returns the tags of a list.
    package static func list(_ lines: [HTTPField]) -> [EntityTag] {
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
