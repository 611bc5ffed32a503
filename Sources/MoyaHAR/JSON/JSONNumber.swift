import Foundation

/// An exact JSON number of any size (RFC 8259, section 6).
///
/// `1`, `1.0` and `10e-1` are equal; 9007199254740993 and 9007199254740992 are not.
package struct JSONNumber: Hashable, Sendable {
    private let isNegative: Bool
    /// The digits without leading and trailing zeros; empty for zero.
    private let digits: [UInt8]
    /// The exponent: the value is the digits, read as a whole number, times ten to this power.
    private let exponent: Int
    /// The original text, if it is not a number or if its exponent exceeds `Int`; otherwise `nil`.
    private let other: String?

    package init(_ value: some FixedWidthInteger) { self.init(text: "\(value)") }

    package init(_ value: Double) { self.init(text: "\(value)") }

    /// Parses a number in JSON syntax.
    init(text: String) {
        let mantissa = text.utf8.prefix { $0 != UInt8(ascii: "e") && $0 != UInt8(ascii: "E") }
        let power = text.utf8[mantissa.endIndex...].dropFirst()
        let unsigned = mantissa.first == UInt8(ascii: "-") ? mantissa.dropFirst() : mantissa
        let point = unsigned.firstIndex(of: UInt8(ascii: ".")) ?? unsigned.endIndex
        let whole = unsigned[..<point]
        let fraction = unsigned[point...].dropFirst()
        let all = (Array(whole) + Array(fraction)).drop { $0 == UInt8(ascii: "0") }
        let isPlain = !whole.isEmpty && (Array(whole) + Array(fraction)).allSatisfy { (0x30...0x39).contains($0) }
        let zeros = all.reversed().prefix { $0 == UInt8(ascii: "0") }.count
        let shift = zeros.subtractingReportingOverflow(fraction.count).partialValue
        let given =
            mantissa.count == text.utf8.count
            ? 0 : Int(Substring(power).hasPrefix("+") ? String(Substring(power).dropFirst()) : String(Substring(power)))
        guard isPlain, all.isEmpty || given != nil, !(given ?? 0).addingReportingOverflow(shift).overflow else {
            (isNegative, digits, exponent, other) = (false, [], 0, text)
            return
        }
        isNegative = !all.isEmpty && mantissa.first == UInt8(ascii: "-")
        digits = Array(all.dropLast(zeros))
        exponent = all.isEmpty ? 0 : (given ?? 0) + shift
        other = nil
    }
}

extension JSONNumber: CustomStringConvertible {
    /// The number as JSON.
    package var description: String {
        if let other { return other }
        let sign = isNegative ? "-" : ""
        let text = String(decoding: digits, as: UTF8.self)
        if digits.isEmpty { return "0" }
        switch exponent {
        case 0...20: return sign + text + String(repeating: "0", count: exponent)
        case -20..<0 where digits.count > -exponent:
            return "\(sign)\(text.dropLast(-exponent)).\(text.suffix(-exponent))"
        case -20..<0: return "\(sign)0.\(String(repeating: "0", count: -exponent - digits.count))\(text)"
        default: return "\(sign)\(text)e\(exponent)"
        }
    }
}

extension JSONNumber: Encodable {
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        let text = description
        if let integer = Int64(text) {
            try container.encode(integer)
        } else if let number = Double(text), number.isFinite, JSONNumber(number) == self {
            try container.encode(number)
        } else if let mark = ExactNumbers.key.flatMap({ encoder.userInfo[$0] }) as? ExactNumbers {
            try container.encode(mark.placeholder(of: text))
        } else if let integer = UInt64(text) {
            try container.encode(integer)
        } else if digits.count <= 38, let decimal = Decimal(string: text) {
            // A `Decimal` holds at most 38 digits.
            try container.encode(decimal)
        } else if let number = Double(text), number.isFinite {
            try container.encode(number)
        } else {
            try container.encode(text)
        }
    }
}

/// Keeps numbers exact that an encoder would round: they are encoded as texts with a random mark, and ``restoring(_:)`` replaces these
/// texts in the encoded JSON.
struct ExactNumbers: Sendable {
    static let key = CodingUserInfoKey(rawValue: "ExactNumbers")

    private let mark = UUID().uuidString

    fileprivate func placeholder(of number: String) -> String { "\(mark)\(number)" }

    /// Returns the encoded JSON with each marked text replaced by its number.
    func restoring(_ data: Data) -> Data {
        let start = Data("\"\(mark)".utf8)
        var output = Data()
        var rest = data[...]
        while let found = rest.range(of: start), let end = rest[found.upperBound...].firstIndex(of: UInt8(ascii: "\""))
        {
            output += rest[..<found.lowerBound] + rest[found.upperBound..<end]
            rest = rest[(end + 1)...]
        }
        return output.isEmpty ? data : output + rest
    }
}
