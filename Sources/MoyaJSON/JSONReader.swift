/// A reader of the tokens of JSON text (RFC 8259) in UTF-8, which creates no values.
///
/// The reader stops at malformed text, and at text that parsers interpret differently.
struct JSONReader {
    /// The error for text that is malformed or that parsers interpret differently.
    struct NotPlain: Error {}

    /// A text, or a name, without its quotation marks.
    struct Quoted {
        let range: Range<Int>
        let hasEscapes: Bool
    }

    private let bytes: UnsafeRawBufferPointer
    private(set) var position = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    /// The byte at the position; at the end it is NUL, which does not occur in JSON text.
    var current: UInt8 { position < bytes.count ? bytes[position] : 0 }

    var isAtEnd: Bool { position >= bytes.count }

    func slice(_ range: Range<Int>) -> UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: bytes[range]) }

    /// Skips a byte if it is the current one.
    ///
    /// - Returns: Whether the byte was skipped.
    mutating func skipIf(_ byte: UInt8) -> Bool {
        guard current == byte else { return false }
        position += 1
        return true
    }

    mutating func skip(_ expected: StaticString) throws(NotPlain) {
        for index in 0..<expected.utf8CodeUnitCount {
            guard current == expected.utf8Start[index] else { throw NotPlain() }
            position += 1
        }
    }

    mutating func skipWhitespace() {
        while true {
            switch current {
            case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"): position += 1
            default: return
            }
        }
    }

    /// Skips a text, a number, a Boolean or null.
    mutating func skipScalar() throws(NotPlain) {
        switch current {
        case UInt8(ascii: "\""): _ = try skipQuoted()
        case UInt8(ascii: "t"): try skip("true")
        case UInt8(ascii: "f"): try skip("false")
        case UInt8(ascii: "n"): try skip("null")
        default: _ = try skipNumber()
        }
    }

    // MARK: Numbers

    /// The number of digits that a `Double` preserves.
    private static let digitsOfDouble = 15
    /// The number of digits that a `Decimal` preserves.
    private static let digitsOfDecimal = 38

    /// Skips a number.
    ///
    /// The reader stops at numbers whose value depends on the parser: numbers that some parsers round before they convert them to an
    /// integer or a `Decimal`, numbers that may exceed a `Double`, and -0.
    ///
    /// - Returns: Whether the number has neither a fraction nor an exponent.
    mutating func skipNumber() throws(NotPlain) -> Bool {
        let isNegative = skipIf(UInt8(ascii: "-"))
        let isZero = skipIf(UInt8(ascii: "0"))
        let wholeDigits = isZero ? 1 : skipDigits()
        let hasFraction = skipIf(UInt8(ascii: "."))
        let fractionDigits = hasFraction ? skipDigits() : 0
        let digits = wholeDigits + fractionDigits
        guard wholeDigits > 0, !hasFraction || fractionDigits > 0, digits <= Self.digitsOfDecimal else {
            throw NotPlain()
        }
        if try skipExponent() {
            guard digits <= Self.digitsOfDouble else { throw NotPlain() }
            return false
        }
        if hasFraction {
            guard wholeDigits <= Self.digitsOfDouble else { throw NotPlain() }
        } else {
            guard !(isNegative && isZero) else { throw NotPlain() }
        }
        return !hasFraction
    }

    /// Skips an exponent of at most two digits, with which no number exceeds a `Double`.
    ///
    /// - Returns: Whether there is an exponent.
    private mutating func skipExponent() throws(NotPlain) -> Bool {
        guard skipIf(UInt8(ascii: "e")) || skipIf(UInt8(ascii: "E")) else { return false }
        if !skipIf(UInt8(ascii: "+")) { _ = skipIf(UInt8(ascii: "-")) }
        guard (1...2).contains(skipDigits()) else { throw NotPlain() }
        return true
    }

    /// Skips digits.
    ///
    /// - Returns: The number of digits.
    private mutating func skipDigits() -> Int {
        let start = position
        while current >= UInt8(ascii: "0"), current <= UInt8(ascii: "9") { position += 1 }
        return position - start
    }

    // MARK: Texts

    /// Skips a text, or a name, with its quotation marks.
    mutating func skipQuoted() throws(NotPlain) -> Quoted {
        guard skipIf(UInt8(ascii: "\"")) else { throw NotPlain() }
        let start = position
        var hasEscapes = false
        while true {
            skipPlainCharacters()
            switch current {
            case UInt8(ascii: "\""):
                position += 1
                return Quoted(range: start..<position - 1, hasEscapes: hasEscapes)
            case UInt8(ascii: "\\"):
                hasEscapes = true
                repeat { try skipEscapeSequence() } while current == UInt8(ascii: "\\")
            case ..<0x20: throw NotPlain()
            default: try skipMultibyteCharacters()
            }
        }
    }

    /// Skips ASCII characters that stand for themselves, eight at a time.
    private mutating func skipPlainCharacters() {
        var position = position
        while position + 8 <= bytes.count {
            let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
            // The highest bit of the first byte that is not plain is set, and the bits of the bytes before it are clear.
            let quote = (word ^ 0x2222_2222_2222_2222) &- 0x0101_0101_0101_0101
            let backslash = (word ^ 0x5C5C_5C5C_5C5C_5C5C) &- 0x0101_0101_0101_0101
            let control = word &- 0x2020_2020_2020_2020
            let others = (word | quote | backslash | control) & 0x8080_8080_8080_8080
            guard others == 0 else {
                self.position = position + others.trailingZeroBitCount / 8
                return
            }
            position += 8
        }
        while position < bytes.count, Self.isPlain(bytes[position]) { position += 1 }
        self.position = position
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte < 0x80 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    /// Skips characters of several bytes (RFC 3629, section 4).
    ///
    /// The reader stops at a byte order mark, because some parsers remove it.
    private mutating func skipMultibyteCharacters() throws(NotPlain) {
        repeat {
            let first = current
            let length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
            guard first >= 0xC2, first <= 0xF4, position + length <= bytes.count else { throw NotPlain() }
            let second = bytes[position + 1]
            var areContinued = second & 0xC0 == 0x80
            if length > 2 {
                let third = bytes[position + 2]
                areContinued = areContinued && third & 0xC0 == 0x80
                switch first {
                case 0xE0: areContinued = areContinued && second >= 0xA0
                case 0xED: areContinued = areContinued && second < 0xA0
                case 0xEF: areContinued = areContinued && (second != 0xBB || third != 0xBF)
                case 0xF0: areContinued = areContinued && second >= 0x90
                case 0xF4: areContinued = areContinued && second < 0x90
                default: break
                }
            }
            if length > 3 { areContinued = areContinued && bytes[position + 3] & 0xC0 == 0x80 }
            guard areContinued else { throw NotPlain() }
            position += length
        } while current >= 0x80
    }

    /// Skips an escape sequence, or two of them for the halves of a surrogate pair.
    private mutating func skipEscapeSequence() throws(NotPlain) {
        position += 1
        switch current {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            position += 1
        case UInt8(ascii: "u"):
            let unit = try skipCodeUnit()
            if UTF16.isTrailSurrogate(unit) { throw NotPlain() }
            guard UTF16.isLeadSurrogate(unit) else { return }
            try skip("\\")
            guard UTF16.isTrailSurrogate(try skipCodeUnit()) else { throw NotPlain() }
        default:
            throw NotPlain()
        }
    }

    /// Skips an escape sequence, starting at its `u`.
    private mutating func skipCodeUnit() throws(NotPlain) -> UInt16 {
        try skip("u")
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let digit = current.hexValue else { throw NotPlain() }
            unit = unit << 4 | UInt16(digit)
            position += 1
        }
        return unit
    }

    /// Returns a text, or a name, that was skipped.
    func text(_ quoted: Quoted) -> String {
        let bytes = slice(quoted.range)
        guard quoted.hasEscapes else { return String(decoding: bytes, as: UTF8.self) }
        return String(unsafeUninitializedCapacity: bytes.count) { Self.unescape(bytes, into: $0) }
    }

    /// Writes the UTF-8 that a text with valid escape sequences represents, which is not longer than the text.
    ///
    /// - Returns: The number of bytes.
    private static func unescape(_ bytes: UnsafeRawBufferPointer, into output: UnsafeMutableBufferPointer<UInt8>) -> Int
    {
        var (position, count) = (0, 0)
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            guard byte == UInt8(ascii: "\\") else {
                output[count] = byte
                count += 1
                continue
            }
            let escaped = bytes[position]
            position += 1
            guard escaped == UInt8(ascii: "u") else {
                output[count] = JSONText.character(of: escaped)
                count += 1
                continue
            }
            var scalar = unit(in: bytes, at: position)
            position += 4
            if UTF16.isLeadSurrogate(UInt16(scalar)) {
                scalar = 0x1_0000 + (scalar - 0xD800) << 10 + (unit(in: bytes, at: position + 2) - 0xDC00)
                position += 6
            }
            for byte in UTF8.encode(Unicode.Scalar(scalar) ?? "\u{FFFD}") ?? UTF8.encodedReplacementCharacter {
                output[count] = byte
                count += 1
            }
        }
        return count
    }

    /// Returns the code unit that four hexadecimal digits represent.
    private static func unit(in bytes: UnsafeRawBufferPointer, at position: Int) -> UInt32 {
        (position..<position + 4).reduce(0) { $0 << 4 | UInt32(bytes[$1].hexValue ?? 0) }
    }
}
