// `JSONSerialization` on Linux takes several times as long as `JSONDecoder`. So `JSONParameterWriter` writes parameters there,
// with the same bytes, and `JSONScanner` finds the value at a key path in the text without building values, so that only this
// value is decoded. Both leave malformed text, and text that parsers read differently, such as a repeated name, to
// `JSONSerialization`, with which tests compare both. On Apple's platforms `JSONSerialization` writes the parameters, because
// its text of numbers, layout and order of keys differ from Linux.

/// A scanner of JSON text in UTF-8 that finds the beginnings and ends of values without creating them.
struct JSONScanner {
    private enum Container {
        case array
        case object(firstName: Int)
    }

    /// The maximum nesting depth of arrays and objects, as in Foundation's parsers.
    private static let deepestLevel = 512

    private(set) var reader: JSONReader
    private var level = 0
    /// The containers that ``skipValue(distinctNames:)`` is in.
    private var containers: [Container] = []
    /// The hash values of the names in those containers.
    private var names: [Int] = []

    init(_ bytes: UnsafeRawBufferPointer) {
        reader = JSONReader(bytes)
        containers.reserveCapacity(8)
        names.reserveCapacity(32)
    }

    /// Skips a value with its content, and the whitespace before it.
    ///
    /// The function uses an array instead of recursion, since threads have small stacks and JSON may be nested deeply.
    ///
    /// - Parameter distinctNames: Whether to stop at an object with a repeated name, because parsers select different values of it.
    /// - Throws: ``JSONReader/NotPlain``.
    mutating func skipValue(distinctNames: Bool) throws(JSONReader.NotPlain) {
        let outer = containers.count
        repeat {
            reader.skipWhitespace()
            switch reader.current {
            case UInt8(ascii: "{"):
                if try beginObject() {
                    containers.append(.object(firstName: names.count))
                    try skipName(remembering: distinctNames)
                    continue
                }
            case UInt8(ascii: "["):
                if try beginArray() {
                    containers.append(.array)
                    continue
                }
            default:
                try reader.skipScalar()
            }
            try skipEnds(outer: outer, distinctNames: distinctNames)
        } while containers.count > outer
    }

    /// Skips the ends of containers that follow a value, and the comma before the next value.
    private mutating func skipEnds(outer: Int, distinctNames: Bool) throws(JSONReader.NotPlain) {
        while containers.count > outer, let container = containers.last {
            switch container {
            case .array:
                if try nextElement() { return }
            case .object(let firstName):
                if try nextMember() { return try skipName(remembering: distinctNames) }
                if distinctNames { try forgetNames(from: firstName) }
            }
            containers.removeLast()
        }
    }

    mutating func skipWhitespace() { reader.skipWhitespace() }

    /// Skips the whitespace after the value of the text.
    mutating func finish() throws(JSONReader.NotPlain) {
        reader.skipWhitespace()
        guard reader.isAtEnd else { throw JSONReader.NotPlain() }
    }

    // MARK: Containers

    /// Skips the beginning of an array, and its end if it is empty.
    ///
    /// - Returns: Whether the array has an element.
    mutating func beginArray() throws(JSONReader.NotPlain) -> Bool { try begin(closing: UInt8(ascii: "]")) }

    /// Skips the beginning of an object, and its end if it is empty.
    ///
    /// - Returns: Whether the object has a member.
    mutating func beginObject() throws(JSONReader.NotPlain) -> Bool { try begin(closing: UInt8(ascii: "}")) }

    /// Skips the comma or the end of the array after an element.
    ///
    /// - Returns: Whether there is another element.
    mutating func nextElement() throws(JSONReader.NotPlain) -> Bool { try next(closing: UInt8(ascii: "]")) }

    /// Skips the comma or the end of the object after a member.
    ///
    /// - Returns: Whether there is another member.
    mutating func nextMember() throws(JSONReader.NotPlain) -> Bool { try next(closing: UInt8(ascii: "}")) }

    private mutating func begin(closing end: UInt8) throws(JSONReader.NotPlain) -> Bool {
        guard level < Self.deepestLevel else { throw JSONReader.NotPlain() }
        level += 1
        _ = reader.skipIf(reader.current)
        reader.skipWhitespace()
        guard reader.skipIf(end) else { return true }
        level -= 1
        return false
    }

    private mutating func next(closing end: UInt8) throws(JSONReader.NotPlain) -> Bool {
        reader.skipWhitespace()
        if reader.skipIf(UInt8(ascii: ",")) { return true }
        guard reader.skipIf(end) else { throw JSONReader.NotPlain() }
        level -= 1
        return false
    }

    // MARK: Names

    /// Skips the name of a member, and the colon.
    mutating func skipName() throws(JSONReader.NotPlain) -> JSONReader.Quoted {
        reader.skipWhitespace()
        let name = try reader.skipQuoted()
        reader.skipWhitespace()
        guard reader.skipIf(UInt8(ascii: ":")) else { throw JSONReader.NotPlain() }
        return name
    }

    private mutating func skipName(remembering: Bool) throws(JSONReader.NotPlain) {
        let name = try skipName()
        // The unescaped text is hashed, because escape sequences do not make names different.
        if remembering { names.append(reader.text(name).hashValue) }
    }

    /// Removes the names of an object, after checking that they are distinct.
    ///
    /// Different names can have the same hash value; the check then fails, and Foundation parses the text.
    private mutating func forgetNames(from first: Int) throws(JSONReader.NotPlain) {
        // The elements are sorted in place, because a slice would copy them.
        let areDistinct = names.withUnsafeMutableBufferPointer { names in
            names[first...].sort()
            return names.indices.dropFirst(first + 1).allSatisfy { names[$0] != names[$0 - 1] }
        }
        guard areDistinct else { throw JSONReader.NotPlain() }
        names.removeSubrange(first...)
    }
}
