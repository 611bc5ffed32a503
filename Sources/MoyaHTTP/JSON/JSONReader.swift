/// A reader of the tokens of JSON text (RFC 8259) in UTF-8, which creates no values.
///
/// It stops at malformed text, and also where parsers differ: what it accepts, every parser reads in the same way.
struct JSONReader {
    /// The text is malformed, or parsers differ in what they read from it.
    struct NotPlain: Error {}

    /// A text, or a name, without its quotation marks.
    struct Quoted {
        let range: Range<Int>
        let hasEscapes: Bool
    }

    private let bytes: UnsafeRawBufferPointer
    private(set) var position = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    /// The byte at the position; NUL, which is nowhere in JSON text, at the end.
    var current: UInt8 { position < bytes.count ? bytes[position] : 0 }

    var isAtEnd: Bool { position >= bytes.count }

    func slice(_ range: Range<Int>) -> UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: bytes[range]) }

    /// Skips a byte if it is the current one.
    ///
    /// - Returns: Whether it is.
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
        default: try skipNumber()
        }
    }

    // MARK: Numbers

    /// The number of digits that every `Double` keeps.
    private static let digitsOfDouble = 15
    /// The number of digits that every `Decimal` keeps.
    private static let digitsOfDecimal = 38

    /// Skips a number.
    ///
    /// It stops at numbers whose value depends on the parser: those that are rounded before they are converted to an integer
    /// or a `Decimal`, those that may exceed a `Double`, and -0.
    private mutating func skipNumber() throws(NotPlain) {
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
        } else if hasFraction {
            guard wholeDigits <= Self.digitsOfDouble else { throw NotPlain() }
        } else {
            guard !(isNegative && isZero) else { throw NotPlain() }
        }
    }

    /// Skips an exponent of at most two digits, with which no number exceeds a `Double`.
    ///
    /// - Returns: Whether there is one.
    private mutating func skipExponent() throws(NotPlain) -> Bool {
        guard skipIf(UInt8(ascii: "e")) || skipIf(UInt8(ascii: "E")) else { return false }
        if !skipIf(UInt8(ascii: "+")) { _ = skipIf(UInt8(ascii: "-")) }
        guard (1...2).contains(skipDigits()) else { throw NotPlain() }
        return true
    }

    /// Skips digits.
    ///
    /// - Returns: How many there are.
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
                try skipEscapeSequence()
            case ..<0x20: throw NotPlain()
            default: try skipMultibyteCharacter()
            }
        }
    }

    /// Skips ASCII characters that stand for themselves.
    private mutating func skipPlainCharacters() {
        let end = bytes[position...].firstIndex { byte in
            byte < 0x20 || byte >= 0x80 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
        }
        position = end ?? bytes.count
    }

    /// Skips a character of several bytes (RFC 3629, section 4).
    ///
    /// It stops at a byte order mark, which some parsers remove.
    private mutating func skipMultibyteCharacter() throws(NotPlain) {
        let start = position
        let first = current
        position += 1
        let second: ClosedRange<UInt8> =
            switch first {
            case 0xE0: 0xA0...0xBF
            case 0xED: 0x80...0x9F
            case 0xF0: 0x90...0xBF
            case 0xF4: 0x80...0x8F
            default: 0x80...0xBF
            }
        guard first >= 0xC2, first <= 0xF4, second.contains(current) else { throw NotPlain() }
        position += 1
        for _ in 0..<(first < 0xE0 ? 0 : first < 0xF0 ? 1 : 2) {
            guard current & 0xC0 == 0x80 else { throw NotPlain() }
            position += 1
        }
        guard first != 0xEF || !slice(start..<position).elementsEqual([0xEF, 0xBB, 0xBF]) else { throw NotPlain() }
    }

    /// Skips an escape sequence, or two of them for the halves of a surrogate pair.
    private mutating func skipEscapeSequence() throws(NotPlain) {
        try skip("\\")
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

    /// Skips an escape sequence from its `u` on.
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
        return String(decoding: JSONText.unescaped(Array(bytes)[...]), as: UTF8.self)
    }
}
