import Foundation

/// A mask for the values of secret names in a body.
///
/// The body may be truncated, and its media type may be wrong.
struct BodyMask {
    private static let maximumDepth = 4

    let names: SecretNames
    let found: FoundSecrets?
    var depth = 0

    /// Returns the masked body; `nil` if there is nothing to mask.
    func masking(_ data: Data, contentType: String) -> Data? {
        let type = MediaType(contentType)
        if let encoding = Self.wideEncoding(of: data, type) {
            guard let masked = masking(encoding.utf8(of: data), type) else { return nil }
            return encoding.data(of: masked)
        }
        return masking(data, type)
    }

    private func masking(_ data: Data, _ type: MediaType) -> Data? {
        if let masked = multipart(data, type) { return masked.isChanged ? masked.data : nil }
        var bytes = Array(data)
        var isChanged = false
        func apply(_ masked: [UInt8]?) {
            guard let masked else { return }
            (bytes, isChanged) = (masked, true)
        }
        if type.isForm { apply(QueryMask(names: names, found: found).masking(bytes, as: .form)) }
        apply(XMLMask(names: names, found: found).masking(bytes))
        apply(JSONMask(names: names, found: found).masking(bytes))
        if !type.isForm { apply(urls(in: bytes)) }
        return isChanged ? Data(bytes) : nil
    }

    /// Masks the parts with secret names, and the secrets in other parts; `nil` if the body is not multipart.
    private func multipart(_ data: Data, _ type: MediaType) -> (data: Data, isChanged: Bool)? {
        var sections = type.multipartBoundary.map { MultipartSections(data, boundary: $0).sections } ?? []
        if sections.isEmpty, let boundary = MultipartSections.boundary(atStartOf: data) {
            sections = MultipartSections(data, boundary: boundary).sections
            // A text that is not multipart may also start with a line of dashes.
            if !sections.contains(where: { $0.header("content-disposition") != nil }) { sections = [] }
        }
        guard !sections.isEmpty else { return nil }
        var output = Data()
        var copied = data.startIndex
        for section in sections {
            let content = data[section.content]
            let masked: Data?
            if section.fieldNames.contains(where: { names.isSecret($0) }) {
                found?.add(ArraySlice(Array(content)))
                masked = Data(SecretMask.placeholder.utf8)
            } else if depth < Self.maximumDepth {
                var inner = self
                inner.depth += 1
                masked = inner.masking(Data(content), contentType: section.header("content-type") ?? "")
            } else {
                masked = content.starts(with: "--".utf8) ? Data(SecretMask.placeholder.utf8) : nil
            }
            guard let masked, masked != content else { continue }
            output += data[copied..<section.content.lowerBound] + masked
            copied = section.content.upperBound
        }
        return copied == data.startIndex ? (data, false) : (output + data[copied...], true)
    }

    /// Masks the URLs in a text.
    ///
    /// Query strings without a URL are not masked, since `a&token=b` may be an expression.
    private func urls(in bytes: [UInt8]) -> [UInt8]? {
        var output = Masked(bytes)
        var position = 0
        let mask = QueryMask(names: names, found: found)
        while position < bytes.count {
            let start = position
            while position < bytes.count, !bytes[position].endsWord { position += 1 }
            let word = Array(bytes[start..<position])
            if word.contains("://") || word.contains("%3A%2F%2F") || word.contains("%3a%2f%2f")
                || word.contains("%253A%252F%252F"), let masked = mask.masking(word, as: .text)
            {
                output.replace(start..<position, with: masked)
            }
            position += 1
        }
        return output.result
    }

    // MARK: UTF-16

    private enum WideEncoding {
        case little, big

        func utf8(of data: Data) -> Data {
            let bytes = Array(data)
            let units = stride(from: 0, to: bytes.count - 1, by: 2).map { index in
                let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
                return self == .little ? second << 8 | first : first << 8 | second
            }
            return Data(String(decoding: units, as: UTF16.self).utf8)
        }

        func data(of text: Data) -> Data {
            var output = Data(capacity: text.count * 2)
            for unit in String(decoding: text, as: UTF8.self).utf16 {
                let (low, high) = (UInt8(truncatingIfNeeded: unit), UInt8(unit >> 8))
                output.append(contentsOf: self == .little ? [low, high] : [high, low])
            }
            return output
        }
    }

    /// Returns the encoding according to the byte order mark, the charset, or the zero bytes of ASCII characters.
    private static func wideEncoding(of data: Data, _ type: MediaType) -> WideEncoding? {
        let start = Array(data.prefix(4))
        guard start.count >= 2 else { return nil }
        if start.starts(with: [0xFF, 0xFE]) { return .little }
        if start.starts(with: [0xFE, 0xFF]) { return .big }
        switch type.charset {
        case "utf-16le": return .little
        case "utf-16be", "utf-16": return start[1] == 0 && start[0] != 0 ? .little : .big
        default: break
        }
        guard start.count == 4 else { return nil }
        switch start.map({ $0 == 0 }) {
        case [false, true, false, true]: return .little
        case [true, false, true, false]: return .big
        default: return nil
        }
    }
}

extension MultipartSections.Section {
    /// All possible names of the field, because receivers use different ones.
    fileprivate var fieldNames: [String] {
        values(of: "content-disposition").flatMap { value in
            ParameterizedField(value).parameters.compactMap { name, value in
                switch name {
                case "name": value
                case "name*": value.components(separatedBy: "'").last.map { $0.removingPercentEncoding ?? $0 }
                default: nil
                }
            }
        }
    }
}

extension UInt8 {
    fileprivate var endsWord: Bool { endsURL || self == UInt8(ascii: "'") || self == UInt8(ascii: "`") }
}

/// The sections of a multipart body (RFC 2046, section 5.1).
///
/// The parser is lenient: lines may end with LF only, headers may be folded, and the body may be truncated.
package struct MultipartSections {
    package struct Section {
        /// The header lines, unfolded.
        package let headers: [String]
        /// The range of the content in the body.
        package let content: Range<Data.Index>

        /// Returns the value of the first header with this name.
        package func header(_ name: String) -> String? { values(of: name).first }

        func values(of name: String) -> [String] {
            headers.compactMap { line in
                guard let colon = line.firstIndex(of: ":"),
                    line[..<colon].trimmingCharacters(in: .whitespaces).lowercased() == name
                else { return nil }
                return line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
            }
        }
    }

    package let sections: [Section]

    package init(_ data: Data, boundary: String) {
        let delimiter = Data("--\(boundary)".utf8)
        var sections: [Section] = []
        var rest = data[...]
        while let found = rest.range(of: delimiter) {
            rest = rest[found.upperBound...]
            guard let head = Self.head(of: rest) else { break }
            let end = Self.contentEnd(data, from: head.end, delimiter)
            sections.append(Section(headers: head.lines, content: head.end..<end))
            rest = data[end...]
        }
        self.sections = sections
    }

    /// Returns the boundary at the start of a body, for a media type with a missing or wrong boundary.
    package static func boundary(atStartOf data: Data) -> String? {
        let start = data.drop { $0 == 0x0A || $0 == 0x0D }
        guard start.starts(with: "--".utf8) else { return nil }
        let line = start.dropFirst(2).prefix { $0 != 0x0A && $0 != 0x0D }
        guard (1...200).contains(line.count), line.endIndex < data.endIndex else { return nil }
        return String(data: line, encoding: .utf8)
    }

    /// Returns the lines before the first empty one.
    private static func head(of data: Data) -> (lines: [String], end: Data.Index)? {
        var lines: [String] = []
        var position = data.startIndex
        // Skips the rest of the delimiter line.
        guard let first = data.firstIndex(of: 0x0A) else { return nil }
        position = first + 1
        while let end = data[position...].firstIndex(of: 0x0A) {
            var line = data[position..<end]
            if line.last == 0x0D { line = line.dropLast() }
            position = end + 1
            if line.isEmpty { return (lines, position) }
            let text = String(decoding: line, as: UTF8.self)
            if line.first == 0x20 || line.first == 0x09, let last = lines.popLast() {
                lines.append(last + " " + text.trimmingCharacters(in: .whitespaces))
            } else {
                lines.append(text)
            }
        }
        return nil
    }

    /// Returns the end of the content, before the line break that precedes the next delimiter.
    private static func contentEnd(_ data: Data, from start: Data.Index, _ delimiter: Data) -> Data.Index {
        var rest = data[start...]
        while let found = rest.range(of: delimiter) {
            let at = found.lowerBound
            if at == start { return at }
            if data[at - 1] == 0x0A { return at - 1 > start && data[at - 2] == 0x0D ? at - 2 : at - 1 }
            rest = rest[found.upperBound...]
        }
        return data.endIndex
    }
}
