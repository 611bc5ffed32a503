import Foundation

/// Walks the elements of a DER encoding (X.690, sections 8 and 10), one level at a time, without copying them.
///
/// It reads only what a certificate needs: tags of one byte and definite lengths of up to four bytes. Anything else is
/// no DER to it, and it never looks past the bytes it was given.
struct DERReader {
    /// Thrown for what is no DER.
    struct Malformed: Error, Equatable {}

    /// The tags that certificates have.
    enum Tag {
        static let boolean: UInt8 = 0x01
        static let octetString: UInt8 = 0x04
        static let objectIdentifier: UInt8 = 0x06
        static let sequence: UInt8 = 0x30

        /// A tag in square brackets, primitive or constructed.
        static func context(_ number: UInt8, isConstructed: Bool) -> UInt8 {
            (isConstructed ? 0xA0 : 0x80) | number
        }
    }

    /// One element.
    struct Element {
        let tag: UInt8
        /// What it contains.
        let content: Data
        /// The element as it stands, tag and length included.
        let encoding: Data
    }

    private var rest: Data

    init(_ data: Data) { rest = data }

    /// Whether there are no more elements.
    var isAtEnd: Bool { rest.isEmpty }

    /// Looks at the next element's tag.
    var nextTag: UInt8? { rest.first }

    /// Reads the next element.
    mutating func next() throws(Malformed) -> Element {
        guard rest.count >= 2 else { throw Malformed() }
        let start = rest.startIndex
        let tag = rest[start]
        // A tag number of 31 or more has further bytes; no certificate has one.
        guard tag & 0x1F != 0x1F else { throw Malformed() }
        var position = start + 1
        var length = Int(rest[position])
        position += 1
        if length >= 0x80 {
            let count = length & 0x7F
            // None says "indefinite", which is BER; four are enough for 4 GiB.
            guard (1...4).contains(count), rest.endIndex - position >= count else { throw Malformed() }
            length = rest[position..<position + count].reduce(0) { $0 << 8 | Int($1) }
            // DER takes the shortest form (X.690, section 10.1).
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

    /// Steps over the next element if it has this tag.
    mutating func skip(_ tag: UInt8) throws(Malformed) {
        if nextTag == tag { _ = try next() }
    }
}
