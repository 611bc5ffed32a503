import Foundation

/// A reader that returns the elements of a DER encoding (X.690, sections 8 and 10) one level at a time, without copying them.
///
/// The reader supports the encodings that certificates use: tags of one byte, and definite lengths of up to four bytes. It rejects
/// all others as malformed, and never reads beyond the given bytes.
struct DERReader {
    /// An error for malformed DER.
    struct Malformed: Error, Equatable {}

    /// The tags that certificates contain.
    enum Tag {
        static let boolean: UInt8 = 0x01
        static let integer: UInt8 = 0x02
        static let bitString: UInt8 = 0x03
        static let octetString: UInt8 = 0x04
        static let objectIdentifier: UInt8 = 0x06
        static let utcTime: UInt8 = 0x17
        static let generalizedTime: UInt8 = 0x18
        static let bmpString: UInt8 = 0x1E
        static let sequence: UInt8 = 0x30

        /// Returns a context-specific tag, primitive or constructed.
        static func context(_ number: UInt8, isConstructed: Bool) -> UInt8 {
            (isConstructed ? 0xA0 : 0x80) | number
        }
    }

    /// An element of the encoding.
    struct Element {
        let tag: UInt8
        /// The content octets.
        let content: Data
        /// The complete encoding, including tag and length.
        let encoding: Data
    }

    private var rest: Data

    init(_ data: Data) { rest = data }

    /// Whether there are no more elements.
    var isAtEnd: Bool { rest.isEmpty }

    /// The tag of the next element.
    var nextTag: UInt8? { rest.first }

    /// Reads the next element.
    mutating func next() throws(Malformed) -> Element {
        guard rest.count >= 2 else { throw Malformed() }
        let start = rest.startIndex
        let tag = rest[start]
        // A tag number of 31 or more takes further bytes; certificates do not use it.
        guard tag & 0x1F != 0x1F else { throw Malformed() }
        var position = start + 1
        var length = Int(rest[position])
        position += 1
        if length >= 0x80 {
            let count = length & 0x7F
            // A count of 0 means an indefinite length, which only BER allows; 4 bytes are sufficient for 4 GiB.
            guard (1...4).contains(count), rest.endIndex - position >= count else { throw Malformed() }
            length = rest[position..<position + count].reduce(0) { $0 << 8 | Int($1) }
            // DER requires the shortest form (X.690, section 10.1).
            guard length >= 0x80, rest[position] != 0 else { throw Malformed() }
            position += count
        }
        guard rest.endIndex - position >= length else { throw Malformed() }
        let end = position + length
        defer { rest = rest[end...] }
        return Element(tag: tag, content: rest[position..<end], encoding: rest[start..<end])
    }

    /// Reads the next element, which must have this tag.
    mutating func next(_ tag: UInt8) throws(Malformed) -> Element {
        let element = try next()
        guard element.tag == tag else { throw Malformed() }
        return element
    }

    /// Skips the next element if it has this tag.
    mutating func skip(_ tag: UInt8) throws(Malformed) {
        if nextTag == tag { _ = try next() }
    }
}

/// A parser for the certificates in a PEM text (RFC 7468).
enum PEMBlocks {
    private static let begin = "-----BEGIN CERTIFICATE-----"
    private static let end = "-----END CERTIFICATE-----"

    /// Returns the bytes of each certificate, in order.
    ///
    /// Other blocks, and text between blocks, are skipped.
    static func certificates(in text: String) throws(CertificateError) -> [Data] {
        var blocks: [Data] = []
        var base64: String?
        for line in text.utf8.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }).map({ String(Substring($0)) }) {
            let line = line.trimmingCharacters(in: .whitespaces)
            if line == begin {
                guard base64 == nil else { throw .malformedPEM }
                base64 = ""
            } else if line == end {
                guard let text = base64, let data = Data(base64Encoded: text), !data.isEmpty else {
                    throw .malformedPEM
                }
                blocks.append(data)
                base64 = nil
            } else {
                base64?.append(line)
            }
        }
        guard base64 == nil else { throw .malformedPEM }
        return blocks
    }
}
