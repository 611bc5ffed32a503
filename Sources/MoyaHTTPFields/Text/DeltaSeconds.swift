/// A number of seconds in decimal digits (RFC 9111, section 1.2.2).
package enum DeltaSeconds {
    /// The largest number; larger ones are reduced to it.
    package static let maximum: Double = 2_147_483_648

    /// Returns the number; `nil` if the text is invalid.
    package static func parse(_ text: some StringProtocol) -> Double? {
        guard !text.isEmpty, text.utf8.allSatisfy(\.isDigit) else { return nil }
        return min(maximum, text.utf8.reduce(0) { min(maximum, $0 * 10 + Double($1 - UInt8(ascii: "0"))) })
    }
}
