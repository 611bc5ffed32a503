import MoyaJSON

/// A mask for the values of secret members in JSON, and for URLs, forms and JSON in its strings.
///
/// The mask does not change other text. It searches for quoted names before a colon, so it also works for truncated or invalid
/// JSON, and for JSON within other text such as JSON lines, event streams and web pages.
struct JSONMask {
    private static let maximumDepth = 6
    private static let namesOfNames = [Array("name".utf8), Array("key".utf8)]

    let names: SecretNames
    let found: FoundSecrets?
    /// The number of enclosing strings.
    var depth = 0

    /// Returns the masked bytes; `nil` if there is nothing to mask.
    func masking(_ bytes: [UInt8]) -> [UInt8]? {
        // Without a grant, `code` is a status, a country, or part of a program.
        let isGrant = bytes.contains("grant_type") || bytes.contains("grantType")
        var output = Masked(bytes)
        var position = 0
        // In `{"name":"password","value":"x"}` the secret name is a value, and the secret follows in another member. The
        // search ignores the end of the object, so it may mask too much.
        var isNamedSecret = false
        while let quote = bytes[position...].firstIndex(of: UInt8(ascii: "\"")) {
            let (content, isClosed) = JSONText.content(in: bytes, from: quote + 1)
            // The search continues at the closing quote, because it is an opening quote if an earlier quote is missing.
            position = content.upperBound
            if isClosed, let value = value(in: bytes, after: content.upperBound + 1) {
                let name = JSONText.unescaped(bytes[content])
                let isText = bytes[value] == UInt8(ascii: "\"")
                if isText, Self.namesOfNames.contains(where: name.elementsEqual) {
                    let given = JSONText.content(in: bytes, from: value + 1).range
                    isNamedSecret = isSecret(JSONText.unescaped(bytes[given]), valueIsText: true, isGrant: isGrant)
                }
                guard
                    isSecret(name, valueIsText: isText, isGrant: isGrant)
                        || isNamedSecret && name.elementsEqual("value".utf8)
                else { continue }
                position = endOfValue(in: bytes, from: value)
                if !bytes[value..<position].elementsEqual("null".utf8) {
                    collect(bytes[value..<position])
                    output.replace(value..<position, with: JSONText.quoted(Masked.placeholder))
                }
            } else if isValue(in: bytes, from: quote, content: content, isClosed: isClosed),
                let masked = text(bytes[content])
            {
                position = content.upperBound + (isClosed ? 1 : 0)
                output.replace(quote..<position, with: isClosed ? masked : masked.dropLast())
            }
        }
        return output.result
    }

    /// Returns whether a string is in the place of a JSON value, and not of a string in a program.
    private func isValue(in bytes: [UInt8], from quote: Int, content: Range<Int>, isClosed: Bool) -> Bool {
        if let before = bytes[..<quote].last(where: { !$0.isJSONSpace }), !":,[".utf8.contains(before) { return false }
        guard isClosed, let after = bytes[(content.upperBound + 1)...].first(where: { !$0.isJSONSpace }) else {
            return true
        }
        return ",]}".utf8.contains(after)
    }

    private func isSecret(_ name: [UInt8], valueIsText: Bool, isGrant: Bool) -> Bool {
        let name = String(decoding: name, as: UTF8.self)
        return names.isSecret(name, in: isGrant && valueIsText ? .query : .other)
    }

    /// Returns a quoted string with its secrets masked; `nil` if there are none.
    private func text(_ content: ArraySlice<UInt8>) -> [UInt8]? {
        guard content.contains(where: { Self.marks.contains($0) }) else { return nil }
        var text = JSONText.unescaped(content)
        var isChanged = false
        if let first = text.first(where: { !$0.isJSONSpace }), first == UInt8(ascii: "{") || first == UInt8(ascii: "["),
            text.contains(UInt8(ascii: "\""))
        {
            guard depth < Self.maximumDepth else { return JSONText.quoted(Masked.placeholder) }
            var inner = self
            inner.depth += 1
            if let masked = inner.masking(text) { (text, isChanged) = (masked, true) }
        } else if let masked = QueryMask(names: names, found: found).masking(text, as: .value) {
            (text, isChanged) = (masked, true)
        }
        return isChanged ? JSONText.quoted(text) : nil
    }

    /// A string without any of these bytes contains no member, parameter or user name.
    private static let marks = Array("=@\\%".utf8)

    /// Returns the start of the value after a name that ends before `end`; `nil` if there is no colon or no value.
    private func value(in bytes: [UInt8], after end: Int) -> Int? {
        var next = end
        while next < bytes.count, bytes[next].isJSONSpace { next += 1 }
        guard next < bytes.count, bytes[next] == UInt8(ascii: ":") else { return nil }
        next += 1
        while next < bytes.count, bytes[next].isJSONSpace { next += 1 }
        return next < bytes.count ? next : nil
    }

    /// Returns the index after the value.
    private func endOfValue(in bytes: [UInt8], from start: Int) -> Int {
        var open = 0
        var position = start
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\""):
                let (content, isClosed) = JSONText.content(in: bytes, from: position + 1)
                position = content.upperBound + (isClosed ? 1 : 0)
                if open == 0 { return position }
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                open += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if open == 0 { return position }
                open -= 1
                if open == 0 { return position + 1 }
            case UInt8(ascii: ",") where open == 0:
                return position
            case let byte where open == 0 && byte.isJSONSpace:
                return position
            default:
                break
            }
            position += 1
        }
        return position
    }

    /// Collects the strings in a secret value, or the value itself if it contains none.
    private func collect(_ value: ArraySlice<UInt8>) {
        guard let found else { return }
        let value = Array(value)
        var position = 0
        while let quote = value[position...].firstIndex(of: UInt8(ascii: "\"")) {
            let (content, isClosed) = JSONText.content(in: value, from: quote + 1)
            position = content.upperBound + (isClosed ? 1 : 0)
            if self.value(in: value, after: position) == nil { found.add(JSONText.unescaped(value[content])[...]) }
        }
        if position == 0 { found.add(value[...]) }
    }
}

extension [UInt8] {
    /// Returns whether the bytes contain an ASCII text.
    func contains(_ text: StaticString) -> Bool {
        text.withUTF8Buffer { text in
            guard let first = text.first, count >= text.count else { return false }
            return indices.dropLast(text.count - 1).contains { index in
                self[index] == first && self[index..<(index + text.count)].elementsEqual(text)
            }
        }
    }
}
