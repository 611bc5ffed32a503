/// Validates UTF-8 that arrives in pieces (RFC 3629), and fails with the first byte that no valid text can have.
package struct UTF8Validator: Equatable, Sendable {
    /// The number of continuation bytes that the current character lacks.
    private var missing: UInt8 = 0
    // The range of the next continuation byte: the first one after some leading bytes has a smaller range, which excludes overlong
    // forms, surrogates and values above U+10FFFF.
    private var lowest: UInt8 = 0x80
    private var highest: UInt8 = 0xBF

    /// Creates a validator for the beginning of a text.
    package init() {}

    /// Whether the text so far ends with a whole character.
    package var isComplete: Bool { missing == 0 }

    /// Validates the next bytes of the text; returns whether a valid text can have them.
    package mutating func validate(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let count = bytes.count
        var index = 0
        while index < count {
            if missing == 0 {
                index = Self.endOfASCII(in: bytes, from: index)
                guard index < count else { break }
                guard begin(bytes[index]) else { return false }
            } else {
                guard lowest <= bytes[index], bytes[index] <= highest else { return false }
                missing &-= 1
                (lowest, highest) = (0x80, 0xBF)
            }
            index &+= 1
        }
        return true
    }

    /// Handles the first byte of a character that is not ASCII.
    private mutating func begin(_ byte: UInt8) -> Bool {
        switch byte {
        case 0xC2...0xDF:
            missing = 1
        case 0xE0...0xEF:
            missing = 2
            if byte == 0xE0 { lowest = 0xA0 }
            if byte == 0xED { highest = 0x9F }
        case 0xF0...0xF4:
            missing = 3
            if byte == 0xF0 { lowest = 0x90 }
            if byte == 0xF4 { highest = 0x8F }
        default:
            return false
        }
        return true
    }

    /// Returns the index of the first byte that is not ASCII, eight bytes at a time.
    private static func endOfASCII(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
        var index = start
        while index &+ 8 <= bytes.count {
            let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            let highBits = word & 0x8080_8080_8080_8080
            guard highBits == 0 else { return index &+ highBits.trailingZeroBitCount / 8 }
            index &+= 8
        }
        while index < bytes.count, bytes[index] < 0x80 { index &+= 1 }
        return index
    }
}
