#if !canImport(Darwin)
/// The location of a value, or of a member's name, in JSON text.
struct JSONToken {
    enum Kind: UInt8 {
        case object, array, name, text, number, bool, null
    }

    let kind: Kind
    /// Whether the bytes can be used directly.
    ///
    /// A name is plain if it is ASCII without escape sequences, an object if its names are plain and distinct, a text if it has no
    /// escape sequences, and a number if it is an integer. All other values are plain.
    var isPlain: Bool
    /// The number of an object's members or an array's elements, or the hash value of a name.
    var detail: UInt32 = 0
    let start: UInt32
    var end: UInt32
    /// The index of the token after the value; while a container is open, the index of the container around it.
    var next: UInt32 = 0

    var range: Range<Int> { Int(start)..<Int(end) }
}

/// A tokenizer that locates all values of JSON text without creating them.
///
/// The tokenizer stops at the same text as ``JSONReader``.
struct JSONTokenizer {
    /// The maximum nesting depth, which limits the stack that decoding uses.
    private static let deepestLevel = 128

    private var reader: JSONReader
    private(set) var tokens: [JSONToken] = []
    /// The index of the innermost open container; the tokens of open containers link to the containers around them.
    private var container: Int?
    private var level = 0
    /// The hash values of an object's names.
    private var hashes: [UInt32] = []

    init(_ bytes: UnsafeRawBufferPointer) {
        reader = JSONReader(bytes)
        tokens.reserveCapacity(bytes.count / 6 + 2)
    }

    mutating func scan() throws(JSONReader.NotPlain) {
        var hasValue = true
        while hasValue {
            reader.skipWhitespace()
            let isInside = try beginValue()
            hasValue = isInside ? true : try hasNextValue()
        }
        reader.skipWhitespace()
        guard reader.isAtEnd else { throw JSONReader.NotPlain() }
    }

    /// Scans a scalar, or the beginning of a container.
    ///
    /// - Returns: Whether a value in the container follows.
    private mutating func beginValue() throws(JSONReader.NotPlain) -> Bool {
        let start = reader.position
        switch reader.current {
        case UInt8(ascii: "{"): return try beginContainer(.object, closing: UInt8(ascii: "}"))
        case UInt8(ascii: "["): return try beginContainer(.array, closing: UInt8(ascii: "]"))
        case UInt8(ascii: "\""):
            let text = try reader.skipQuoted()
            append(.text, isPlain: !text.hasEscapes, text.range)
        case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"):
            let kind: JSONToken.Kind = reader.current == UInt8(ascii: "n") ? .null : .bool
            try reader.skipScalar()
            append(kind, isPlain: true, start..<reader.position)
        default:
            let isInteger = try reader.skipNumber()
            append(.number, isPlain: isInteger, start..<reader.position)
        }
        return false
    }

    private mutating func beginContainer(
        _ kind: JSONToken.Kind,
        closing end: UInt8
    ) throws(JSONReader.NotPlain) -> Bool {
        guard level < Self.deepestLevel else { throw JSONReader.NotPlain() }
        append(kind, isPlain: true, reader.position..<reader.position + 1)
        _ = reader.skipIf(reader.current)
        reader.skipWhitespace()
        if reader.skipIf(end) { return false }
        tokens[tokens.count - 1].next = container.map { UInt32(truncatingIfNeeded: $0) } ?? UInt32.max
        container = tokens.count - 1
        level += 1
        if kind == .object { try scanName() }
        return true
    }

    /// Scans the ends of containers that follow a value, and the comma before the next value.
    ///
    /// - Returns: Whether another value follows.
    private mutating func hasNextValue() throws(JSONReader.NotPlain) -> Bool {
        while let container {
            let isObject = tokens[container].kind == .object
            tokens[container].detail += 1
            reader.skipWhitespace()
            if reader.skipIf(UInt8(ascii: ",")) {
                if isObject { try scanName() }
                return true
            }
            guard reader.skipIf(isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
                throw JSONReader.NotPlain()
            }
            let outer = tokens[container].next
            self.container = outer == UInt32.max ? nil : Int(outer)
            level -= 1
            tokens[container].next = UInt32(truncatingIfNeeded: tokens.count)
            if isObject { checkNames(of: container) }
        }
        return false
    }

    private mutating func scanName() throws(JSONReader.NotPlain) {
        reader.skipWhitespace()
        let name = try reader.skipQuoted()
        reader.skipWhitespace()
        guard reader.skipIf(UInt8(ascii: ":")) else { throw JSONReader.NotPlain() }
        let hash = name.hasEscapes ? nil : JSONNames.hash(reader.slice(name.range))
        append(.name, isPlain: hash != nil, name.range)
        tokens[tokens.count - 1].detail = hash ?? 0
    }

    private mutating func append(_ kind: JSONToken.Kind, isPlain: Bool, _ range: Range<Int>) {
        tokens.append(
            JSONToken(
                kind: kind,
                isPlain: isPlain,
                start: UInt32(truncatingIfNeeded: range.lowerBound),
                end: UInt32(truncatingIfNeeded: range.upperBound),
                next: UInt32(truncatingIfNeeded: tokens.count + 1)
            )
        )
    }

    /// Records whether the names of an object are ASCII without escape sequences and known to be distinct.
    private mutating func checkNames(of object: Int) {
        var areASCII = true
        hashes.removeAll(keepingCapacity: true)
        var name = object + 1
        while name < tokens.count {
            areASCII = areASCII && tokens[name].isPlain
            hashes.append(tokens[name].detail)
            name = Int(tokens[name + 1].next)
        }
        tokens[object].isPlain = areASCII && haveDistinctHashes()
    }

    private mutating func haveDistinctHashes() -> Bool {
        guard hashes.count <= JSONNames.few else {
            hashes.sort()
            return zip(hashes, hashes.dropFirst()).allSatisfy { $0 != $1 }
        }
        for index in hashes.indices.dropFirst() where hashes[..<index].contains(hashes[index]) { return false }
        return true
    }
}

/// The names of an object's members.
enum JSONNames {
    /// The number of names up to which comparing all pairs is faster than sorting.
    static let few = 16

    /// Returns the hash value of a name; `nil` for a name that is not ASCII, because it can be equal to a name with other bytes.
    static func hash(_ name: UnsafeRawBufferPointer) -> UInt32? {
        var hash: UInt32 = 0x811C_9DC5
        var all: UInt8 = 0
        for byte in name {
            hash = (hash ^ UInt32(byte)) &* 0x0100_0193
            all |= byte
        }
        return all < 0x80 ? hash : nil
    }
}
#endif
