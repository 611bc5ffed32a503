import Foundation

/// A JSON value that is compared by structure: texts by their bytes, numbers by their exact value.
package enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case number(JSONNumber)
    case text(ExactText)
    case list([JSONValue])
    case object([ExactText: JSONValue])

    /// The maximum nesting; deeper JSON is compared by bytes.
    private static let maximumDepth = 200

    /// Parses the data; `nil` if it is not JSON.
    package init?(_ data: Data) {
        guard let value = JSONReader.value(of: data, maximumDepth: Self.maximumDepth) else { return nil }
        self = value
    }

    /// Returns the differences from a requested value, up to the limit.
    ///
    /// If `isRecord` is true, `***` matches any bytes inside of a text; otherwise only a whole value. Texts are
    /// passed to `mask` before they are shortened.
    package func differences(
        to actual: JSONValue,
        at path: String = "$",
        limit: Int = 20,
        isRecord: Bool = false,
        mask: (String) -> String = { $0 }
    ) -> [HARDifference] {
        if self == actual || self == .text(ExactText(HARSecrets.placeholder)) { return [] }
        var found: [HARDifference] = []
        switch (self, actual) {
        case (.object(let recorded), .object(let actual)):
            for name in Set(recorded.keys).union(actual.keys).sorted() where found.count < limit {
                found += Self.differences(
                    recorded[name],
                    actual[name],
                    at: "\(path).\(name.string)",
                    limit - found.count,
                    isRecord,
                    mask
                )
            }
        case (.list(let recorded), .list(let actual)):
            for index in 0..<max(recorded.count, actual.count) where found.count < limit {
                found += Self.differences(
                    index < recorded.count ? recorded[index] : nil,
                    index < actual.count ? actual[index] : nil,
                    at: "\(path)[\(index)]",
                    limit - found.count,
                    isRecord,
                    mask
                )
            }
        case (.text(let recorded), .text(let actual)):
            if isRecord, recorded.isMatched(by: actual) { return [] }
            let (old, new) = HARDifference.short(mask(recorded.string), mask(actual.string))
            found = [.json(path: path, recorded: old.debugDescription, actual: new.debugDescription)]
        default:
            found = [.json(path: path, recorded: text(mask), actual: actual.text(mask))]
        }
        return found
    }

    /// Returns the value without members that another value does not have.
    package func keepingMembers(of other: JSONValue) -> JSONValue {
        switch (self, other) {
        case (.object(let object), .object(let other)):
            .object(other.reduce(into: [:]) { $0[$1.key] = object[$1.key]?.keepingMembers(of: $1.value) })
        case (.list(let list), .list(let other)):
            .list(list.enumerated().map { $0 < other.count ? $1.keepingMembers(of: other[$0]) : $1 })
        default: self
        }
    }

    private static func differences(
        _ recorded: JSONValue?,
        _ actual: JSONValue?,
        at path: String,
        _ limit: Int,
        _ isRecord: Bool,
        _ mask: (String) -> String
    ) -> [HARDifference] {
        guard let recorded, let actual else {
            return [.json(path: path, recorded: recorded?.text(mask), actual: actual?.text(mask))]
        }
        return recorded.differences(to: actual, at: path, limit: limit, isRecord: isRecord, mask: mask)
    }

    private func text(_ mask: (String) -> String) -> String {
        if case .text(let text) = self { return JSONValue.text(ExactText(mask(text.string))).description }
        return description
    }
}

extension JSONValue: Encodable {
    package func encode(to encoder: any Encoder) throws {
        if case .object(let object) = self {
            var members = encoder.container(keyedBy: AnyKey.self)
            for (name, value) in object { try members.encode(value, forKey: AnyKey(stringValue: name.string)) }
            return
        }
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let bool): try container.encode(bool)
        case .number(let number): try container.encode(number)
        case .text(let text): try container.encode(text.string)
        case .list(let list): try container.encode(list)
        case .object: break
        }
    }
}

extension JSONValue: CustomStringConvertible {
    /// A short form for errors.
    package var description: String {
        switch self {
        case .null: "null"
        case .bool(let bool): "\(bool)"
        case .number(let number): HARDifference.short(number.description)
        case .text(let text): HARDifference.short(text.string).debugDescription
        case .list(let list): "a list of \(list.count)"
        case .object(let object): "an object of \(object.count)"
        }
    }
}

/// An exact JSON number of any size (RFC 8259, section 6).
///
/// `1`, `1.0` and `10e-1` are equal; 9007199254740993 and 9007199254740992 are not.
package struct JSONNumber: Hashable, Sendable {
    private let isNegative: Bool
    /// The digits without leading and trailing zeros; empty for zero.
    private let digits: [UInt8]
    /// The power of ten by which the digits, as a whole number, are multiplied.
    private let exponent: Int
    /// The text, if it is not a number or its exponent exceeds `Int`.
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
            // The digits that a decimal number has.
            try container.encode(decimal)
        } else if let number = Double(text), number.isFinite {
            try container.encode(number)
        } else {
            try container.encode(text)
        }
    }
}

/// The numbers that an encoder would round: a text with a random mark in place of each, which is replaced in the result.
struct ExactNumbers: Sendable {
    static let key = CodingUserInfoKey(rawValue: "ExactNumbers")

    private let mark = UUID().uuidString

    fileprivate func placeholder(of number: String) -> String { "\(mark)\(number)" }

    /// Returns JSON with the numbers in place of the texts.
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

/// A strict parser for JSON (RFC 8259) that keeps numbers exact.
///
/// It rejects ambiguous JSON: objects with duplicate members, and unpaired surrogates.
struct JSONReader {
    private let bytes: [UInt8]
    private let allowsDuplicates: Bool
    private var position = 0

    /// Parses JSON; `nil` if it is invalid or nested deeper than the limit.
    static func value(of data: Data, maximumDepth: Int) -> JSONValue? {
        value(of: JSONReader(bytes: bytes(of: data)), maximumDepth)
    }

    /// Parses JSON, of which an object may have several members of one name; the last one counts.
    static func lenientValue(of data: Data, maximumDepth: Int) -> JSONValue? {
        value(of: JSONReader(bytes: bytes(of: data), allowsDuplicates: true), maximumDepth)
    }

    /// Returns whether the data is JSON up to its end, where something is missing.
    static func isStart(_ data: Data, _ maximumDepth: Int) -> Bool {
        var reader = JSONReader(bytes: bytes(of: data), allowsDuplicates: true)
        // The end may be within `false` or an escape.
        return reader.value(maximumDepth) == nil && reader.position + 6 > reader.bytes.count
    }

    private static func bytes(of data: Data) -> [UInt8] {
        Array(data.starts(with: [0xEF, 0xBB, 0xBF]) ? data.dropFirst(3) : data)
    }

    private static func value(of reader: JSONReader, _ maximumDepth: Int) -> JSONValue? {
        var reader = reader
        guard let value = reader.value(maximumDepth) else { return nil }
        reader.skipSpace()
        return reader.position == reader.bytes.count ? value : nil
    }

    private init(bytes: [UInt8], allowsDuplicates: Bool = false) {
        (self.bytes, self.allowsDuplicates) = (bytes, allowsDuplicates)
    }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipSpace() {
        while let next, [0x20, 0x0A, 0x0D, 0x09].contains(next) { position += 1 }
    }

    private mutating func pass(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        position += 1
        return true
    }

    private mutating func value(_ depth: Int) -> JSONValue? {
        skipSpace()
        switch next {
        case UInt8(ascii: "{"): return depth > 0 ? object(depth - 1) : nil
        case UInt8(ascii: "["): return depth > 0 ? list(depth - 1) : nil
        case UInt8(ascii: "\""): return text().map { .text($0) }
        case UInt8(ascii: "t"): return word("true", .bool(true))
        case UInt8(ascii: "f"): return word("false", .bool(false))
        case UInt8(ascii: "n"): return word("null", .null)
        default: return number()
        }
    }

    private mutating func object(_ depth: Int) -> JSONValue? {
        position += 1
        var members: [ExactText: JSONValue] = [:]
        skipSpace()
        if pass(UInt8(ascii: "}")) { return .object(members) }
        repeat {
            skipSpace()
            guard next == UInt8(ascii: "\""), let name = text() else { return nil }
            skipSpace()
            guard pass(UInt8(ascii: ":")), let value = value(depth),
                members.updateValue(value, forKey: name) == nil || allowsDuplicates
            else { return nil }
            skipSpace()
        } while pass(UInt8(ascii: ","))
        return pass(UInt8(ascii: "}")) ? .object(members) : nil
    }

    private mutating func list(_ depth: Int) -> JSONValue? {
        position += 1
        var elements: [JSONValue] = []
        skipSpace()
        if pass(UInt8(ascii: "]")) { return .list(elements) }
        repeat {
            guard let value = value(depth) else { return nil }
            elements.append(value)
            skipSpace()
        } while pass(UInt8(ascii: ","))
        return pass(UInt8(ascii: "]")) ? .list(elements) : nil
    }

    private mutating func word(_ word: String, _ value: JSONValue) -> JSONValue? {
        guard bytes[position...].starts(with: word.utf8) else { return nil }
        position += word.utf8.count
        return value
    }

    private mutating func number() -> JSONValue? {
        let start = position
        _ = pass(UInt8(ascii: "-"))
        let whole = digits()
        guard whole > 0, whole == 1 || bytes[position - whole] != UInt8(ascii: "0") else { return nil }
        if pass(UInt8(ascii: ".")), digits() == 0 { return nil }
        if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
            position += 1
            if !pass(UInt8(ascii: "+")) { _ = pass(UInt8(ascii: "-")) }
            guard digits() > 0 else { return nil }
        }
        return .number(JSONNumber(text: String(decoding: bytes[start..<position], as: UTF8.self)))
    }

    /// Skips digits, and returns their number.
    private mutating func digits() -> Int {
        let start = position
        while let next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(next) { position += 1 }
        return position - start
    }

    private mutating func text() -> ExactText? {
        position += 1
        var text: [UInt8] = []
        var start = position
        while let byte = next {
            switch byte {
            case UInt8(ascii: "\""):
                text += bytes[start..<position]
                position += 1
                return String(validUTF8: text).map { ExactText($0) }
            case UInt8(ascii: "\\"):
                text += bytes[start..<position]
                position += 1
                guard escape(into: &text) else { return nil }
                start = position
            case 0..<0x20: return nil
            default: position += 1
            }
        }
        return nil
    }

    private mutating func escape(into text: inout [UInt8]) -> Bool {
        guard let byte = next else { return false }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"):
            guard var value = unit() else { return false }
            if (0xD800..<0xDC00).contains(value) {
                guard pass(UInt8(ascii: "\\")), pass(UInt8(ascii: "u")), let low = unit(),
                    (0xDC00..<0xE000).contains(low)
                else { return false }
                value = 0x1_0000 + ((value - 0xD800) << 10) + (low - 0xDC00)
            }
            guard let scalar = Unicode.Scalar(value), let encoded = UTF8.encode(scalar) else { return false }
            text.append(contentsOf: encoded)
        default: return false
        }
        return true
    }

    private mutating func unit() -> UInt32? {
        guard position + 4 <= bytes.count else { return nil }
        var unit: UInt32 = 0
        for byte in bytes[position..<(position + 4)] {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80 else { return nil }
            unit = unit << 4 | UInt32(digit)
        }
        position += 4
        return unit
    }
}
