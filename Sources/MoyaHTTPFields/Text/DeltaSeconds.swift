/// A number of seconds in decimal digits (RFC 9111, section 1.2.2).
package enum DeltaSeconds {
    /// The largest number; larger ones are reduced to it.
    package static let maximum: Double = 2_147_483_648

    /// Returns the number; `nil` if the text is invalid.
    // Not a generic function, which takes 5,000 instructions in other modules.
    package static func parse(_ text: String) -> Double? {
        var text = text
        return text.withUTF8 { digits in
            guard !digits.isEmpty else { return nil }
            var seconds: Double = 0
            for digit in digits {
                guard digit.isDigit else { return nil }
                seconds = min(maximum, seconds * 10 + Double(digit - UInt8(ascii: "0")))
            }
            return seconds
        }
    }
}
