import Foundation
import MoyaJSON

/// A filter that replaces all occurrences of secret values in linear time (Aho–Corasick algorithm).
///
/// The filter finds a value in its plain, percent-encoded, JSON-escaped and Base64 form. It replaces values of four to seven bytes
/// only as whole words. It does not replace shorter values, common words and short numbers: a token `r` must not mask letters.
package struct SecretScrubber {
    private struct Node {
        var fallback = 0
        /// The length of the longest value that ends here.
        var length = 0
        /// A bit for each length of the values that end here and must be whole words.
        var words: UInt16 = 0
        var depth = 0
    }

    private static let shortest = 4
    private static let longestWord = 7
    /// Longer values are searched for in pieces.
    private static let pieceLength = 4096
    /// The minimum length of a distinct value; a shorter value may also be the name of a member, or a media type.
    private static let distinctLength = 16
    private static let commonWords: Set<String> = [
        "true", "false", "null", "none", "undefined", "bearer", "basic", "digest", "http", "https", "json", "text",
        "html",
        "utf-8", "gzip", "post", "name", "value", "user",
    ]
    /// The names of headers that describe a message, in which only long values are replaced.
    private static let structuralHeaders: Set<String> = [
        "accept", "accept-encoding", "accept-language", "accept-ranges", "cache-control", "connection",
        "content-encoding",
        "content-language", "content-length", "content-type", "date", "expires", "host", "last-modified",
        "transfer-encoding",
        "vary",
    ]

    private var nodes = [Node()]
    private var edges: [Int: Int] = [:]

    package init(_ found: FoundSecrets) {
        for value in found.values where Self.isDistinct(value) {
            for pattern in Self.spellings(of: value) { add(pattern) }
        }
        link()
    }

    /// Creates a scrubber that removes the values that a mask hides in one part of an exchange from all parts of it.
    package init(
        _ mask: SecretMask,
        request: URLRequest?,
        requestHeaders: HTTPHeaders,
        responseHeaders: HTTPHeaders = [],
        data: Data = Data()
    ) {
        let found = FoundSecrets()
        for header in requestHeaders { _ = mask.value(header.value, ofHeader: header.name, found: found) }
        if let url = request?.url { _ = mask.text(of: url, found: found) }
        if let body = request?.httpBody {
            _ = mask.body(body, contentType: requestHeaders["Content-Type"], found: found)
        }
        for header in responseHeaders { _ = mask.value(header.value, ofHeader: header.name, found: found) }
        _ = mask.body(data, contentType: responseHeaders["Content-Type"], found: found)
        self.init(found)
    }

    package var isEmpty: Bool { nodes.count == 1 }

    package func scrubbing(_ text: String) -> String {
        guard !isEmpty, let scrubbed = scrubbed(Array(text.utf8)) else { return text }
        return String(decoding: scrubbed, as: UTF8.self)
    }

    package func scrubbing(_ data: Data) -> Data {
        guard !isEmpty, let scrubbed = scrubbed(Array(data)) else { return data }
        return Data(scrubbed)
    }

    /// Returns the scrubbed URL.
    ///
    /// The scheme and the authority are scrubbed only of long values.
    package func scrubbing(url: String) -> String {
        guard !isEmpty, let slashes = url.range(of: "://") else { return scrubbing(url) }
        let end = url[slashes.upperBound...].firstIndex { "/?#".contains($0) } ?? url.endIndex
        return scrubbing(String(url[..<end]), shortest: Self.distinctLength) + scrubbing(String(url[end...]))
    }

    package func scrubbing(_ value: String, ofHeader name: String) -> String {
        let isStructural = Self.structuralHeaders.contains(name.lowercased())
        return scrubbing(value, shortest: isStructural ? Self.distinctLength : Self.shortest)
    }

    private func scrubbing(_ text: String, shortest: Int) -> String {
        guard !isEmpty, let scrubbed = scrubbed(Array(text.utf8), shortest: shortest) else { return text }
        return String(decoding: scrubbed, as: UTF8.self)
    }

    // MARK: Searching

    /// Returns the scrubbed bytes; `nil` if there is nothing to replace.
    func scrubbed(_ bytes: [UInt8], shortest: Int = 0) -> [UInt8]? {
        var ranges = matches(in: bytes, shortest: shortest) { $0..<($0 + 1) }
        let plain = Unescaped(bytes)
        if !plain.isSame { ranges += matches(in: plain.bytes, shortest: shortest) { plain.ranges[$0] } }
        guard !ranges.isEmpty else { return nil }
        var output = Masked(bytes)
        for range in Self.united(ranges) where !isName(range, in: bytes) {
            let quotes = Self.isNumber(range, in: bytes) ? [UInt8(ascii: "\"")] : []
            output.replace(range, with: quotes + Masked.placeholder + quotes)
        }
        return output.result
    }

    /// Returns the ranges of the values in a text.
    private func matches(in bytes: [UInt8], shortest: Int, place: (Int) -> Range<Int>) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var node = 0
        for (index, byte) in bytes.enumerated() {
            while node != 0, edges[node << 8 | Int(byte)] == nil { node = nodes[node].fallback }
            node = edges[node << 8 | Int(byte)] ?? 0
            var length = nodes[node].length
            if nodes[node].words != 0, index + 1 == bytes.count || !bytes[index + 1].isInWord {
                for count in stride(from: Self.longestWord, through: Self.shortest, by: -1) where count > length {
                    let isWord = nodes[node].words >> UInt16(count) & 1 == 1
                    if isWord, index < count || !bytes[index - count].isInWord {
                        length = count
                        break
                    }
                }
            }
            guard length > 0, length >= shortest else { continue }
            found.append(place(index - length + 1).lowerBound..<place(index).upperBound)
        }
        return found
    }

    private static func united(_ ranges: [Range<Int>]) -> [Range<Int>] {
        ranges.sorted { $0.lowerBound < $1.lowerBound }.reduce(into: []) { united, range in
            if let last = united.last, range.lowerBound < last.upperBound {
                united[united.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                united.append(range)
            }
        }
    }

    /// Returns whether a short value is the name of a member or a parameter, which is not replaced.
    private func isName(_ range: Range<Int>, in bytes: [UInt8]) -> Bool {
        guard range.count < Self.distinctLength, range.upperBound < bytes.count, range.lowerBound > 0 else {
            return false
        }
        let before = bytes[range.lowerBound - 1]
        let after = bytes[range.upperBound]
        if after == UInt8(ascii: "=") { return "?&;".utf8.contains(before) }
        guard before == UInt8(ascii: "\""), after == before else { return false }
        return bytes[(range.upperBound + 1)...].first { !$0.isJSONSpace } == UInt8(ascii: ":")
    }

    /// Returns whether the range is a JSON number, which must be replaced by a string.
    private static func isNumber(_ range: Range<Int>, in bytes: [UInt8]) -> Bool {
        guard bytes[range].allSatisfy(\.isDigit),
            let before = bytes[..<range.lowerBound].last(where: { !$0.isJSONSpace }), ":,[".utf8.contains(before),
            let after = bytes[range.upperBound...].first(where: { !$0.isJSONSpace })
        else { return false }
        return ",]}".utf8.contains(after)
    }

    // MARK: Values

    private static func isDistinct(_ value: [UInt8]) -> Bool {
        guard value.count >= shortest else { return false }
        // Years, ports and page numbers are too common: a number must be long to be distinct.
        if value.count < 8, value.allSatisfy(\.isDigit) { return false }
        return value.count > longestWord || !commonWords.contains(String(decoding: value, as: UTF8.self).lowercased())
    }

    private static func spellings(of value: [UInt8]) -> Set<[UInt8]> {
        guard value.count <= 2 * pieceLength else {
            let pieces = stride(from: 0, to: value.count, by: pieceLength).map { start in
                Array(value[start..<min(start + pieceLength, value.count)])
            }
            // The last piece may be too short, so the end of the value is a piece instead.
            return Set(pieces.dropLast() + [Array(value.suffix(pieceLength))])
        }
        var spellings: Set<[UInt8]> = [value]
        for bytes in [value, Unescaped(value).bytes] where bytes.count >= shortest {
            spellings.insert(bytes)
            for offset in 0..<3 {
                guard let text = base64(bytes, offset: offset) else { continue }
                let safe = text.map { byte in
                    byte == UInt8(ascii: "+") ? UInt8(ascii: "-") : byte == UInt8(ascii: "/") ? UInt8(ascii: "_") : byte
                }
                for spelling in [text, safe] { spellings.formUnion([spelling, Unescaped(spelling).bytes]) }
            }
            spellings.insert(Array(Data(bytes).base64EncodedString().utf8))
        }
        return spellings
    }

    /// Returns the part of a value's Base64 that does not depend on adjacent bytes; `nil` if it is short.
    private static func base64(_ value: [UInt8], offset: Int) -> [UInt8]? {
        let whole = Array(Data([UInt8](repeating: 0, count: offset) + value).base64EncodedString().utf8)
        let end = (offset + value.count) * 8 / 6
        let start = (offset * 8 + 5) / 6
        return end - start >= 12 ? Array(whole[start..<end]) : nil
    }

    private mutating func add(_ pattern: [UInt8]) {
        var node = 0
        for byte in pattern {
            let key = node << 8 | Int(byte)
            if let next = edges[key] {
                node = next
            } else {
                nodes.append(Node(depth: nodes[node].depth + 1))
                edges[key] = nodes.count - 1
                node = nodes.count - 1
            }
        }
        if pattern.count > Self.longestWord {
            nodes[node].length = pattern.count
        } else if pattern.count >= Self.shortest {
            nodes[node].words |= 1 << UInt16(pattern.count)
        }
    }

    /// Computes the fallback of each node: the node where the search continues at a byte without an edge.
    private mutating func link() {
        let order = edges.sorted { nodes[$0.value].depth < nodes[$1.value].depth }
        for (key, node) in order {
            let (parent, byte) = (key >> 8, key & 0xFF)
            guard parent != 0 else { continue }
            var fallback = nodes[parent].fallback
            while fallback != 0, edges[fallback << 8 | byte] == nil { fallback = nodes[fallback].fallback }
            fallback = edges[fallback << 8 | byte] ?? 0
            nodes[node].fallback = fallback
            nodes[node].length = max(nodes[node].length, nodes[fallback].length)
            nodes[node].words |= nodes[fallback].words
        }
    }
}

/// A text without any levels of percent-encoding and JSON escapes, and the source range of each byte.
private struct Unescaped {
    private(set) var bytes: [UInt8] = []
    private(set) var ranges: [Range<Int>] = []
    private(set) var isSame = true

    init(_ source: [UInt8]) {
        guard source.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "\\") || $0 == UInt8(ascii: "+") })
        else {
            bytes = source
            return
        }
        isSame = false
        bytes.reserveCapacity(source.count)
        ranges.reserveCapacity(source.count)
        let text = EscapedBytes(bytes: source)
        var position = 0
        while position < source.count {
            let token = text.token(at: position)
            switch token.byte {
            case UInt8(ascii: "\\"):
                // JSON within a JSON string doubles backslashes, so all backslashes are skipped, in the text and in the value.
                let isUnit = token.end < source.count && source[token.end] == UInt8(ascii: "u")
                if isUnit, let unit = JSONText.unit(in: source[...], at: token.end + 1) {
                    let before = bytes.count
                    bytes.appendScalar(unit)
                    let range = position..<(token.end + 5)
                    ranges += [Range<Int>](repeating: range, count: bytes.count - before)
                    position = token.end + 5
                    continue
                }
            case UInt8(ascii: "+"):
                bytes.append(0x20)
                ranges.append(position..<token.end)
            default:
                bytes.append(token.byte)
                ranges.append(position..<token.end)
            }
            position = token.end
        }
    }
}

extension UInt8 {
    fileprivate var isInWord: Bool { isAlphanumeric || self == UInt8(ascii: "_") || self >= 0x80 }
}

/// The values that a mask has hidden, for a search of their other occurrences.
package final class FoundSecrets {
    private(set) var values: Set<[UInt8]> = []

    package init() {}

    package func add(_ text: String) { add(ArraySlice(Array(text.utf8))) }

    package func add(_ value: ArraySlice<UInt8>) {
        let value = Array(value)
        guard value.count > 3, !value.contains("***") else { return }
        values.insert(value)
    }

    /// Adds `user:password` and the password alone.
    ///
    /// The user name is not a secret.
    package func addUser(_ value: ArraySlice<UInt8>) {
        add(value)
        if let colon = value.firstIndex(of: UInt8(ascii: ":")) { add(value[(colon + 1)...]) }
    }

    /// Adds the credentials of an `Authorization` (RFC 9110, section 11.4) without the scheme, and also adds those of Basic in
    /// decoded form.
    package func addCredentials(_ value: String) {
        let parts = value.split(separator: " ", maxSplits: 1)
        guard parts.count == 2 else { return add(value) }
        let credentials = parts[1].trimmingCharacters(in: .whitespaces)
        add(credentials)
        if parts[0].lowercased() == "basic", let data = Data(base64Encoded: credentials) {
            addUser(ArraySlice(Array(data)))
        }
    }

    package func formUnion(_ other: FoundSecrets) { values.formUnion(other.values) }
}

/// Bytes with any number of levels of percent-encoding (RFC 3986, section 2.1).
struct EscapedBytes {
    struct Token {
        let byte: UInt8
        /// The index after the token.
        let end: Int
        /// The number of levels of percent-encoding.
        let depth: Int
    }

    let bytes: [UInt8]

    func token(at position: Int) -> Token {
        let plain = Token(byte: bytes[position], end: position + 1, depth: 0)
        guard plain.byte == UInt8(ascii: "%") else { return plain }
        var start = position + 1
        var depth = 1
        while escape(at: start) == UInt8(ascii: "%"), escape(at: start + 2) != nil {
            start += 2
            depth += 1
        }
        return escape(at: start).map { Token(byte: $0, end: start + 2, depth: depth) } ?? plain
    }

    /// Returns the byte that two hexadecimal digits represent.
    private func escape(at position: Int) -> UInt8? {
        guard position + 1 < bytes.count, let high = bytes[position].hexValue, let low = bytes[position + 1].hexValue
        else { return nil }
        return high << 4 | low
    }
}

extension UInt8 {
    /// Whether the byte is whitespace in JSON (RFC 8259, section 2).
    var isJSONSpace: Bool { self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D }

    /// Whether the byte cannot be part of a URL in a text (RFC 3986, section 2).
    var endsURL: Bool {
        switch self {
        case 0...0x20, UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"): true
        default: false
        }
    }
}
