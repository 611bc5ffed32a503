/// Reads JSON (RFC 8259) with the positions of its values.
package struct JSONText {
    private let bytes: [UInt8]
    private var offset = 0
    private var line = 1
    private var lineStart = 0
    private var count = 0

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Returns the value of a text.
    package static func parse(_ bytes: [UInt8]) throws(TextError) -> Node {
        var reader = JSONText(bytes)
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { (reader.offset, reader.lineStart) = (3, 3) }
        reader.skipSpace()
        let value = try reader.readValue(depth: 0)
        reader.skipSpace()
        guard reader.offset == bytes.count else { throw reader.failure("The text continues after its value.") }
        return value
    }

    private var position: Node.Position { Node.Position(line: line, column: offset - lineStart + 1) }

    private var byte: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    private func failure(_ message: String) -> TextError { TextError(message, at: position) }

    private mutating func skipSpace() {
        while let byte {
            switch byte {
            case UInt8(ascii: "\n"):
                offset += 1
                (line, lineStart) = (line + 1, offset)
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): offset += 1
            default: return
            }
        }
    }

    private mutating func readValue(depth: Int) throws(TextError) -> Node {
        guard depth <= TextLimits.depth else { throw failure("The value is nested too deeply.") }
        count += 1
        guard count <= TextLimits.values else { throw failure("The text has too many values.") }
        let start = position
        switch byte {
        case nil: throw failure("The text ends where a value is expected.")
        case UInt8(ascii: "{"): return Node(.object(try readObject(depth: depth)), at: start)
        case UInt8(ascii: "["): return Node(.array(try readArray(depth: depth)), at: start)
        case UInt8(ascii: "\""): return Node(.string(try readString()), at: start)
        case UInt8(ascii: "t"): return Node(try readWord("true", .bool(true)), at: start)
        case UInt8(ascii: "f"): return Node(try readWord("false", .bool(false)), at: start)
        case UInt8(ascii: "n"): return Node(try readWord("null", .null), at: start)
        default: return Node(.number(try readNumber()), at: start)
        }
    }

    private mutating func readObject(depth: Int) throws(TextError) -> NodeMembers {
        offset += 1
        var members: [NodeMembers.Member] = []
        skipSpace()
        while byte != UInt8(ascii: "}") {
            if !members.isEmpty { try readSeparator("a comma or a closing brace") }
            guard byte == UInt8(ascii: "\"") else { throw failure("A name in quotes is expected.") }
            let keyPosition = position
            let key = try readString()
            skipSpace()
            guard byte == UInt8(ascii: ":") else { throw failure("A colon is expected after a name.") }
            offset += 1
            skipSpace()
            let value = try readValue(depth: depth + 1)
            members.append(NodeMembers.Member(key: key, keyPosition: keyPosition, value: value))
            skipSpace()
        }
        offset += 1
        let names = Set(members.map(\.key))
        if names.count < members.count {
            var seen: Set<String> = []
            for member in members where !seen.insert(member.key).inserted {
                throw TextError("The name \"\(member.key)\" is repeated in the object.", at: member.keyPosition)
            }
        }
        return NodeMembers(members)
    }

    private mutating func readArray(depth: Int) throws(TextError) -> [Node] {
        offset += 1
        var nodes: [Node] = []
        skipSpace()
        while byte != UInt8(ascii: "]") {
            if !nodes.isEmpty { try readSeparator("a comma or a closing bracket") }
            nodes.append(try readValue(depth: depth + 1))
            skipSpace()
        }
        offset += 1
        return nodes
    }

    private mutating func readSeparator(_ expected: String) throws(TextError) {
        guard byte == UInt8(ascii: ",") else {
            throw failure(byte == nil ? "The text ends where \(expected) is expected." : "Expected: \(expected).")
        }
        offset += 1
        skipSpace()
    }

    private mutating func readWord(_ word: StaticString, _ value: Node.Value) throws(TextError) -> Node.Value {
        let length = word.utf8CodeUnitCount
        guard offset + length <= bytes.count,
            "\(word)".utf8.elementsEqual(bytes[offset..<offset + length])
        else { throw failure("A value is expected.") }
        offset += length
        return value
    }

    private mutating func readNumber() throws(TextError) -> String {
        let start = offset
        func isDigit(_ byte: UInt8?) -> Bool { byte.map { (0x30...0x39).contains($0) } ?? false }
        if byte == UInt8(ascii: "-") { offset += 1 }
        guard isDigit(byte) else { throw failure("A value is expected.") }
        if byte == UInt8(ascii: "0") { offset += 1 } else { while isDigit(byte) { offset += 1 } }
        if byte == UInt8(ascii: ".") {
            offset += 1
            guard isDigit(byte) else { throw failure("A digit is expected.") }
            while isDigit(byte) { offset += 1 }
        }
        if byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E") {
            offset += 1
            if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") { offset += 1 }
            guard isDigit(byte) else { throw failure("A digit is expected.") }
            while isDigit(byte) { offset += 1 }
        }
        return String(decoding: bytes[start..<offset], as: UTF8.self)
    }

    private mutating func readString() throws(TextError) -> String {
        offset += 1
        let start = offset
        while let byte, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20 { offset += 1 }
        if byte == UInt8(ascii: "\"") {
            offset += 1
            return String(decoding: bytes[start..<offset - 1], as: UTF8.self)
        }
        return try readEscapedString(from: start)
    }

    /// Reads the rest of a string with escapes.
    private mutating func readEscapedString(from start: Int) throws(TextError) -> String {
        var text = Array(bytes[start..<offset])
        while let byte, byte != UInt8(ascii: "\"") {
            if byte == UInt8(ascii: "\\") {
                text += try readEscape().utf8
            } else if byte < 0x20 {
                throw failure("A control character in a string must be escaped.")
            } else {
                text.append(byte)
                offset += 1
            }
        }
        guard byte != nil else { throw failure("The text ends in a string.") }
        offset += 1
        return String(decoding: text, as: UTF8.self)
    }

    private mutating func readEscape() throws(TextError) -> String {
        offset += 1
        guard let letter = byte else { throw failure("The text ends in a string.") }
        offset += 1
        switch letter {
        case UInt8(ascii: "\""): return "\""
        case UInt8(ascii: "\\"): return "\\"
        case UInt8(ascii: "/"): return "/"
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{c}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"):
            let unit = try readHexadecimal()
            if (0xD800...0xDBFF).contains(unit), offset + 1 < bytes.count, bytes[offset] == UInt8(ascii: "\\"),
                bytes[offset + 1] == UInt8(ascii: "u")
            {
                offset += 2
                return String(decoding: [unit, try readHexadecimal()], as: UTF16.self)
            }
            return String(decoding: [unit], as: UTF16.self)
        default: throw failure("The escape is invalid.")
        }
    }

    private mutating func readHexadecimal() throws(TextError) -> UInt16 {
        guard offset + 4 <= bytes.count,
            let unit = UInt16(String(decoding: bytes[offset..<offset + 4], as: UTF8.self), radix: 16)
        else { throw failure("Four hexadecimal digits are expected.") }
        offset += 4
        return unit
    }
}
