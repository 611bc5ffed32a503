#if NIO && !canImport(Darwin)
import HTTPTypes
import NIOCore

/// A decoder for the header sections that a server sends on a connection (RFC 7541).
///
/// swift-nio-http2's decoder returns strings: a byte that is not UTF-8 becomes U+FFFD, which has three bytes, so that the
/// value is different, and the table evicts entries at other times than the server's table.
struct HPACKFieldDecoder: Sendable {
    /// A decoded line and its size (section 4.1).
    struct Line: Sendable {
        let line: HTTP2FieldLine
        /// The bytes of name and value, and 32.
        let size: Int
        let nameLength: Int
    }

    /// The number of bytes that the decoded lines of a section may have.
    let sectionLimit: Int

    private var table = Table(limit: Self.tableSize)

    /// The value of SETTINGS_HEADER_TABLE_SIZE, which is the default.
    static let tableSize = 4_096

    init(sectionLimit: Int) { self.sectionLimit = sectionLimit }

    /// Decodes a header section.
    mutating func decode(_ block: ByteBuffer) throws(HPACKError) -> [Line] {
        let result = block.withUnsafeReadableBytes { bytes in
            Result { () throws(HPACKError) in try decode(bytes) }
        }
        return try result.get()
    }

    private mutating func decode(_ bytes: UnsafeRawBufferPointer) throws(HPACKError) -> [Line] {
        var reader = HPACKReader(bytes)
        var lines: [Line] = []
        lines.reserveCapacity(16)
        var (size, resizes) = (0, 0)
        while let first = reader.first {
            let line: Line
            switch first {
            case 0x80...:
                line = try entry(try reader.integer(prefix: 7))
            case 0x40...:
                line = try literal(prefix: 6, &reader)
                table.insert(line)
            case 0x20...:
                // At most two, at the beginning of a section (section 4.2).
                resizes += 1
                let limit = try reader.integer(prefix: 5)
                guard lines.isEmpty, resizes <= 2, limit <= Self.tableSize else { throw .invalidTableSize }
                table.resize(limit)
                continue
            default:
                line = try literal(prefix: 4, &reader)
            }
            size += line.size
            guard size <= sectionLimit else { throw .tooLarge }
            lines.append(line)
        }
        return lines
    }

    private func literal(prefix: Int, _ reader: inout HPACKReader) throws(HPACKError) -> Line {
        let index = try reader.integer(prefix: prefix)
        let name: HTTP2FieldLine.Name
        let nameLength: Int
        if index == 0 {
            (name, nameLength) = try reader.string { (HTTP2FieldLine.Name($0), $0.count) }
        } else {
            let entry = try entry(index)
            (name, nameLength) = (entry.line.name, entry.nameLength)
        }
        return try reader.string {
            Line(line: HTTP2FieldLine(name, $0), size: nameLength + $0.count + 32, nameLength: nameLength)
        }
    }

    private func entry(_ index: Int) throws(HPACKError) -> Line {
        if index == 0 { throw .invalidIndex }
        let lines = Self.staticTable
        if index <= lines.count { return lines[index - 1] }
        guard let line = table[index - lines.count - 1] else { throw .invalidIndex }
        return line
    }
}

extension HPACKFieldDecoder {
    /// The dynamic table (section 2.3.2).
    private struct Table: Sendable {
        /// The entries from the oldest to the newest; those before `start` have been evicted.
        private var lines: [Line] = []
        private var start = 0
        private var size = 0
        private var limit: Int

        init(limit: Int) { self.limit = limit }

        /// Returns an entry, of which the newest has the number 0.
        subscript(_ number: Int) -> Line? {
            number < lines.count - start ? lines[lines.count - 1 - number] : nil
        }

        mutating func insert(_ line: Line) {
            evict(for: line.size)
            // An entry that is larger than the table empties it (section 4.4).
            guard line.size <= limit else { return }
            lines.append(line)
            size += line.size
        }

        mutating func resize(_ limit: Int) {
            self.limit = limit
            evict(for: 0)
        }

        private mutating func evict(for added: Int) {
            while start < lines.count, size + added > limit {
                size -= lines[start].size
                start += 1
            }
            // A table has at most 128 entries; evicted ones are removed together.
            guard start == lines.count || start > 128 else { return }
            lines.removeFirst(start)
            start = 0
        }
    }

    /// Appendix A.
    private static let staticTable: [Line] = {
        let pseudo = [
            (":authority", ""), (":method", "GET"), (":method", "POST"), (":path", "/"), (":path", "/index.html"),
            (":scheme", "http"), (":scheme", "https"), (":status", "200"), (":status", "204"), (":status", "206"),
            (":status", "304"), (":status", "400"), (":status", "404"), (":status", "500"),
        ]
        let names = [
            "accept-charset", "accept-encoding", "accept-language", "accept-ranges", "accept",
            "access-control-allow-origin", "age", "allow", "authorization", "cache-control", "content-disposition",
            "content-encoding", "content-language", "content-length", "content-location", "content-range",
            "content-type", "cookie", "date", "etag", "expect", "expires", "from", "host", "if-match",
            "if-modified-since", "if-none-match", "if-range", "if-unmodified-since", "last-modified", "link",
            "location", "max-forwards", "proxy-authenticate", "proxy-authorization", "range", "referer", "refresh",
            "retry-after", "server", "set-cookie", "strict-transport-security", "transfer-encoding", "user-agent",
            "vary", "via", "www-authenticate",
        ]
        let fields = names.map { ($0, $0 == "accept-encoding" ? "gzip, deflate" : "") }
        return (pseudo + fields).map { name, value in
            let line = Array(name.utf8).withUnsafeBytes { name in
                Array(value.utf8).withUnsafeBytes { HTTP2FieldLine(.init(name), $0) }
            }
            return Line(line: line, size: name.utf8.count + value.utf8.count + 32, nameLength: name.utf8.count)
        }
    }()
}

/// The error for a header section that cannot be decoded.
enum HPACKError: Error, Equatable, CustomStringConvertible {
    case truncated
    case invalidIndex
    case invalidInteger
    case invalidTableSize
    case invalidHuffmanCode
    /// The decoded lines exceed the decoder's limit.
    case tooLarge

    var description: String {
        switch self {
        case .truncated: "It ends in the middle of a field."
        case .invalidIndex: "It refers to an entry that the table does not have."
        case .invalidInteger: "A number is too large."
        case .invalidTableSize: "It changes the size of the table in a way that is not allowed."
        case .invalidHuffmanCode: "A text has an invalid Huffman code."
        case .tooLarge: "It is too large."
        }
    }
}

/// A reader for the primitives of HPACK (RFC 7541, section 5).
private struct HPACKReader {
    private let bytes: UnsafeRawBufferPointer
    private var position = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    /// The next byte; `nil` at the end.
    var first: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func next() throws(HPACKError) -> UInt8 {
        guard position < bytes.count else { throw .truncated }
        defer { position += 1 }
        return bytes[position]
    }

    /// Reads a number that begins with the low bits of the first byte (section 5.1).
    mutating func integer(prefix: Int) throws(HPACKError) -> Int {
        let mask = UInt8(truncatingIfNeeded: 1 << prefix - 1)
        let first = try next() & mask
        guard first == mask else { return Int(first) }
        var number = Int(first)
        for shift in stride(from: 0, through: 28, by: 7) {
            let byte = try next()
            number += Int(byte & 0x7F) << shift
            if byte < 0x80 { return number }
        }
        throw .invalidInteger
    }

    /// Reads a string (section 5.2), and passes its bytes to a function.
    mutating func string<Result>(_ body: (UnsafeRawBufferPointer) -> Result) throws(HPACKError) -> Result {
        guard let first else { throw .truncated }
        let length = try integer(prefix: 7)
        guard length <= bytes.count - position else { throw .truncated }
        let coded = UnsafeRawBufferPointer(rebasing: bytes[position..<position + length])
        position += length
        guard first >= 0x80 else { return body(coded) }
        // The shortest code has five bits.
        let result = withUnsafeTemporaryAllocation(byteCount: length * 8 / 5 + 1, alignment: 1) { decoded in
            HuffmanCode.decode(coded, into: decoded).map { body(UnsafeRawBufferPointer(rebasing: decoded[..<$0])) }
        }
        guard let result else { throw .invalidHuffmanCode }
        return result
    }
}

/// The Huffman code of HPACK (RFC 7541, appendix B).
enum HuffmanCode {
    /// The number of bits of each symbol's code, the last of which is EOS.
    ///
    /// The code is canonical: codes of one length are consecutive numbers in the order of the symbols.
    private static let lengths: [UInt8] = [
        13, 23, 28, 28, 28, 28, 28, 28, 28, 24, 30, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 30, 28,
        28, 28, 28, 28, 28, 28, 28, 28, 6, 10, 10, 12, 13, 6, 8, 11, 10, 10, 8, 11, 8, 6, 6, 6,
        5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 7, 8, 15, 6, 12, 10, 13, 6, 7, 7, 7, 7, 7, 7,
        7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 8, 7, 8, 13, 19, 13, 14, 6,
        15, 5, 6, 5, 6, 5, 6, 6, 6, 5, 7, 7, 6, 6, 6, 5, 6, 7, 6, 5, 5, 6, 7, 7,
        7, 7, 7, 15, 11, 14, 13, 28, 20, 22, 20, 20, 22, 22, 22, 23, 22, 23, 23, 23, 23, 23, 24, 23,
        24, 24, 22, 23, 24, 23, 23, 23, 23, 21, 22, 23, 22, 23, 23, 24, 22, 21, 20, 22, 22, 23, 23, 21,
        23, 22, 22, 24, 21, 22, 23, 23, 21, 21, 22, 21, 23, 22, 23, 23, 20, 22, 22, 22, 23, 22, 22, 23,
        26, 26, 20, 19, 22, 23, 22, 25, 26, 26, 26, 27, 27, 26, 24, 25, 19, 21, 26, 27, 27, 26, 27, 24,
        21, 21, 26, 26, 28, 27, 27, 27, 20, 24, 20, 21, 22, 21, 21, 23, 22, 22, 25, 25, 24, 24, 26, 23,
        26, 27, 26, 26, 27, 27, 27, 27, 27, 28, 27, 27, 27, 27, 27, 26, 30,
    ]

    /// The step of the decoder for four bits.
    private struct Step: Sendable {
        var state: UInt8 = 0
        var symbol: UInt8 = 0
        var hasSymbol = false
        var isInvalid = false
    }

    private struct Decoder: Sendable {
        /// The 16 steps of each state, which is an inner node of the tree of codes.
        var steps: [Step]
        /// Whether a string may end in a state: after at most seven bits, all of them ones (section 5.2).
        var isEnd: [Bool]
    }

    private static let decoder: Decoder = {
        // A negative child is a symbol. 0 is no child, because no node leads to the root.
        var children: [[Int]] = [[0, 0]]
        var isEnd = [true]
        var (code, length) = (0, 0)
        for symbol in lengths.indices.sorted(by: { (lengths[$0], $0) < (lengths[$1], $1) }) {
            code <<= Int(lengths[symbol]) - length
            length = Int(lengths[symbol])
            var node = 0
            for bit in stride(from: length - 1, to: 0, by: -1) {
                let side = code >> bit & 1
                if children[node][side] == 0 {
                    children[node][side] = children.count
                    children.append([0, 0])
                    let depth = length - bit
                    isEnd.append(depth <= 7 && code >> bit == 1 << depth - 1)
                }
                node = children[node][side]
            }
            children[node][code & 1] = -1 - symbol
            code += 1
        }
        var steps: [Step] = []
        for start in children.indices {
            for bits in 0..<16 {
                var (step, node) = (Step(), start)
                for bit in [3, 2, 1, 0] {
                    node = children[node][bits >> bit & 1]
                    guard node < 0 else { continue }
                    if node == -257 { step.isInvalid = true } else { step.symbol = UInt8(-1 - node) }
                    step.hasSymbol = true
                    node = 0
                }
                step.state = UInt8(truncatingIfNeeded: node)
                steps.append(step)
            }
        }
        return Decoder(steps: steps, isEnd: isEnd)
    }()

    /// Decodes a string, and returns the number of its bytes; `nil` if the code is invalid.
    ///
    /// `decoded` must have room for 8/5 of the bytes.
    static func decode(_ coded: UnsafeRawBufferPointer, into decoded: UnsafeMutableRawBufferPointer) -> Int? {
        let decoder = decoder
        var (state, count, isInvalid) = (0, 0, false)
        decoder.steps.withUnsafeBufferPointer { steps in
            func take(_ bits: UInt8) {
                let step = steps[state << 4 | Int(bits)]
                if step.hasSymbol {
                    decoded[count] = step.symbol
                    count += 1
                    if step.isInvalid { isInvalid = true }
                }
                state = Int(step.state)
            }
            for byte in coded {
                take(byte >> 4)
                take(byte & 15)
            }
        }
        return isInvalid || !decoder.isEnd[state] ? nil : count
    }
}
#endif
