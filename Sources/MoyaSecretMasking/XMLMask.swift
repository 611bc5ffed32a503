/// A mask for secret elements and attributes in XML and HTML, which may be truncated or malformed.
///
/// An element is secret because of its local name, or because of a name attribute: `<item name="password">`.
struct XMLMask {
    let names: SecretNames
    let found: FoundSecrets?

    /// Returns the masked bytes; `nil` if there is nothing to mask, or the text does not start with a tag.
    func masking(_ bytes: [UInt8]) -> [UInt8]? {
        guard bytes.first(where: { !$0.isJSONSpace && $0 < 0x80 }) == UInt8(ascii: "<") else { return nil }
        var output = Masked(bytes)
        var position = 0
        while let start = bytes[position...].firstIndex(of: UInt8(ascii: "<")) {
            if let end = endOfMarkup(in: bytes, at: start) {
                position = end
                continue
            }
            let tag = Tag(bytes, at: start)
            position = tag.end
            let isSecret = isSecret(name: bytes[tag.name]) || tag.attributes.contains { hasSecretName($0, in: bytes) }
            for (name, value) in tag.attributes where !value.isEmpty {
                let isValue = bytes[name].equals("value") || bytes[name].equals("content")
                guard self.isSecret(name: bytes[name]) || isSecret && isValue else { continue }
                found?.add(bytes[value])
                output.mask(value)
            }
            guard isSecret, !tag.isEmpty else { continue }
            let content = position..<endOfContent(in: bytes, of: bytes[tag.name], from: position)
            position = content.upperBound
            guard bytes[content].contains(where: { !$0.isJSONSpace }) else { continue }
            found?.add(bytes[content])
            output.mask(content)
        }
        return output.result
    }

    private func isSecret(name: ArraySlice<UInt8>) -> Bool {
        names.isSecret(String(decoding: name.split(separator: UInt8(ascii: ":")).last ?? [], as: UTF8.self))
    }

    private func hasSecretName(_ attribute: Tag.Attribute, in bytes: [UInt8]) -> Bool {
        (bytes[attribute.name].equals("name") || bytes[attribute.name].equals("key"))
            && names.isSecret(String(decoding: bytes[attribute.value], as: UTF8.self))
    }

    /// Returns the end of a comment, a CDATA section, a declaration or an end tag; `nil` for anything else.
    private func endOfMarkup(in bytes: [UInt8], at start: Int) -> Int? {
        let rest = bytes[start...]
        let end: StaticString
        if rest.starts(with: "<!--".utf8) {
            end = "-->"
        } else if rest.starts(with: "<![CDATA[".utf8) {
            end = "]]>"
        } else if rest.starts(with: "<?".utf8) || rest.starts(with: "<!".utf8) || rest.starts(with: "</".utf8) {
            end = ">"
        } else {
            return nil
        }
        return bytes.firstIndex(after: end, from: start + 2)
    }

    /// Returns the start of an element's end tag, skipping nested elements with the same name; the end of the text
    /// if the end tag is missing.
    private func endOfContent(in bytes: [UInt8], of name: ArraySlice<UInt8>, from start: Int) -> Int {
        var open = 1
        var position = start
        while let next = bytes[position...].firstIndex(of: UInt8(ascii: "<")) {
            if bytes[next...].starts(with: "</".utf8) {
                let tag = Tag(bytes, at: next + 1)
                if bytes[tag.name] == name { open -= 1 }
                if open == 0 { return next }
                position = tag.end
            } else if let end = endOfMarkup(in: bytes, at: next) {
                position = end
            } else {
                let tag = Tag(bytes, at: next)
                if bytes[tag.name] == name, !tag.isEmpty { open += 1 }
                position = tag.end
            }
        }
        return bytes.count
    }
}

/// A start tag with its attributes, or an end tag.
private struct Tag {
    typealias Attribute = (name: Range<Int>, value: Range<Int>)

    let name: Range<Int>
    private(set) var attributes: [Attribute] = []
    /// The index after `>`, or the end of the text.
    private(set) var end: Int
    /// Whether the element has no content, because its tag ends with `/>`, or because it is a void element of HTML.
    private(set) var isEmpty = false

    init(_ bytes: [UInt8], at start: Int) {
        var position = start + 1
        name = bytes.skip(&position) { !$0.isJSONSpace && !"/>".utf8.contains($0) }
        let name = name
        isEmpty = ["input", "meta", "param"].contains { bytes[name].equals($0) }
        while position < bytes.count {
            _ = bytes.skip(&position) { $0.isJSONSpace }
            guard position < bytes.count else { break }
            if bytes[position] == UInt8(ascii: ">") {
                position += 1
                break
            }
            if bytes[position] == UInt8(ascii: "/") {
                position += 1
                if position < bytes.count, bytes[position] == UInt8(ascii: ">") { isEmpty = true }
                continue
            }
            let attribute = bytes.skip(&position) { !$0.isJSONSpace && !"=/>".utf8.contains($0) }
            _ = bytes.skip(&position) { $0.isJSONSpace }
            guard position < bytes.count, bytes[position] == UInt8(ascii: "=") else { continue }
            position += 1
            _ = bytes.skip(&position) { $0.isJSONSpace }
            guard position < bytes.count else { break }
            let quote = bytes[position]
            if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
                position += 1
                attributes.append((attribute, bytes.skip(&position) { $0 != quote }))
                position = min(position + 1, bytes.count)
            } else {
                attributes.append((attribute, bytes.skip(&position) { !$0.isJSONSpace && $0 != UInt8(ascii: ">") }))
            }
        }
        end = position
    }
}

extension ArraySlice<UInt8> {
    /// Returns whether the bytes are equal to a lowercase ASCII word, ignoring case.
    fileprivate func equals(_ word: String) -> Bool {
        count == word.utf8.count && zip(self, word.utf8).allSatisfy { $0 == $1 || $0.isLetter && $0 | 0x20 == $1 }
    }
}

extension [UInt8] {
    /// Skips the bytes that satisfy a condition, and returns their range.
    fileprivate func skip(_ position: inout Int, while holds: (UInt8) -> Bool) -> Range<Int> {
        let first = position
        while position < count, holds(self[position]) { position += 1 }
        return first..<position
    }

    /// Returns the index after the first occurrence of a mark, or the end if there is none.
    fileprivate func firstIndex(after mark: StaticString, from start: Int) -> Int {
        mark.withUTF8Buffer { mark in
            var position = start
            while let first = self[position...].firstIndex(of: mark[0]) {
                if self[first...].starts(with: mark) { return first + mark.count }
                position = first + 1
            }
            return count
        }
    }
}
