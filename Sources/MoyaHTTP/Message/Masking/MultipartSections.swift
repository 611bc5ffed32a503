import Foundation

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
