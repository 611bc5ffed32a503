import Foundation
import TestSupport

/// Random JSON documents and parameters.
struct RandomJSON {
    private var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    static let names = [
        "a", "b", "", "é", "e\u{301}", "K", "\u{212A}", "a b", "name_2", "name_10", "Name", "/", "\"", "名前", "😀", "\n",
        "A",
    ]
    private static let texts =
        names + ["\u{0}\u{1F}\u{7F}", "\u{2028}", "\\", "<&'", "\u{FEFF}x", "\u{FFFD}", "\t\r\u{8}\u{C}"]
    private static let numbers = [
        "0", "-0", "1", "-1", "10", "255", "9007199254740993", "18446744073709551615", "18446744073709551616",
        "-9223372036854775808", "1.0", "-0.0", "1.50", "3.141592653589793238462643383279", "0.1", "1e3", "1E-3",
        "1.5e+2",
        "1e22", "1e-99", "1e309", "1e-400", "0e0", "123456789012345678901234567890123456789012",
        "9223372036854775807.0",
        "900719925474099.3", "12345678901234567e3", "-73.98765432109876",
    ]
    private static let damaged = [
        "01", "+1", ".5", "1.", "1e", "1e+", "-", "0x1", "1..2", "NaN", "tru", "nul", "True", "'a'", "\"\\x\"",
        "\"\\u12\"",
        "\"\\ud800\"", "\"\\udc00\"", "\"\\ud800\\u0061\"", "\"\u{1}\"", "\"", "[", "{", "[1,]", #"{"a":1,}"#, "[,]",
        "{,}", "",
        #"{"a" 1}"#, #"{a:1}"#, #"{"a":}"#, "[1 2]", "1 2", "//", "]", "}",
    ]

    // MARK: Documents

    mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &generator) }

    private mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }

    private mutating func space() -> String { below(6) == 0 ? pick([" ", "\n", "\t", "\r", "  "]) : "" }

    /// A path that often exists.
    mutating func path() -> String {
        (0...below(2)).map { _ in below(4) == 0 ? pick(Self.names) : pick(["a", "b"]) }.joined(separator: ".")
    }

    /// A document, which is often damaged.
    mutating func document() -> Data {
        var bytes = Array((space() + (below(8) == 0 ? value(depth: 4) : object(depth: 4)) + space()).utf8)
        guard below(3) == 0 else { return Data(bytes) }
        for _ in 0...below(3) where !bytes.isEmpty {
            let index = below(bytes.count)
            switch below(4) {
            case 0: bytes.remove(at: index)
            case 1: bytes[index] = UInt8(below(256))
            case 2: bytes.insert(pick(Array(#"{}[]:,"\0123456789.eE+-u"#.utf8)), at: index)
            default: bytes.removeSubrange(index...)
            }
        }
        return Data(bytes)
    }

    private mutating func value(depth: Int) -> String {
        switch below(depth == 0 ? 6 : 12) {
        case 0: return pick(["true", "false", "null"])
        case 1: return pick(Self.numbers)
        case 2: return below(20) == 0 ? pick(Self.damaged) : "1"
        case 3...5: return text()
        case 6...9:
            return object(depth: depth)
        default:
            return "[" + (0..<below(4)).map { _ in space() + value(depth: depth - 1) + space() }.joined(separator: ",")
                + "]"
        }
    }

    private mutating func object(depth: Int) -> String {
        let members = (0..<below(6)).map { _ in
            space() + name() + space() + ":" + space() + value(depth: depth - 1) + space()
        }
        return "{" + space() + members.joined(separator: ",") + "}"
    }

    private mutating func name() -> String { below(3) == 0 ? text() : pick([#""a""#, #""b""#, #""c""#, #""d""#]) }

    private mutating func text() -> String {
        var json = "\""
        for scalar in pick(Self.texts).unicodeScalars {
            let isEscaped = scalar.value < 0x20 || scalar == "\"" || scalar == "\\" || below(4) == 0
            json += isEscaped ? Self.escaped(scalar) : String(scalar)
        }
        return json + "\""
    }

    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        scalar.utf16.map { unit in
            let digits = String(unit, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
        .joined()
    }

    /// Bytes that are usually not JSON.
    mutating func bytes() -> Data {
        let likely =
            Array(#"{}[]:,"\ 01e.-utrfalsn"#.utf8) + [0xEF, 0xBB, 0xBF, 0xC3, 0xA9, 0xF0, 0x9F, 0x98, 0x80, 0xED, 0xA0]
        let isLikely = below(3) > 0
        return Data((0..<below(24)).map { _ in isLikely ? pick(likely) : UInt8(below(256)) })
    }

    // MARK: Parameters

    /// A value that an application could pass, which may have no JSON form.
    mutating func parameter(depth: Int = 3) -> Any {
        switch below(depth == 0 ? 8 : 14) {
        case 0: return pick(Self.texts)
        case 1: return number()
        case 2: return Double(bitPattern: UInt64.random(in: 0...UInt64.max, using: &generator))
        case 3: return Float(bitPattern: UInt32.random(in: 0...UInt32.max, using: &generator))
        case 4: return pick([true, false])
        case 5: return pick([NSNull(), NSString("a/\"é"), true as NSNumber, false as NSNumber] as [Any])
        case 6:
            return pick([Int?.none as Any, Int?.some(1) as Any, AnyHashable("é"), "abc".dropFirst(), "x" as Character])
        case 7: return below(20) == 0 ? pick([Date(), Double.nan, UUID(), [1: 2], Set([1])] as [Any]) : 1
        case 8: return (0..<below(4)).map { _ in parameter(depth: depth - 1) }
        case 9: return NSArray(array: (0..<below(3)).map { _ in pick(Self.texts) })
        case 10: return pick([["a", "b"] as [String], [1, 2] as [Int], [1, nil] as [Int?], [1.5], [true]] as [Any])
        case 11:
            return pick(
                [["é": "/"] as [String: String], ["a": 1] as [String: Int], ["a": nil] as [String: Int?]] as [Any]
            )
        default:
            let names = (0..<below(5)).map { _ in pick(Self.names) }
            let members = Dictionary(
                names.map { ($0, parameter(depth: depth - 1)) },
                uniquingKeysWith: { first, _ in first }
            )
            return below(4) == 0 ? NSDictionary(dictionary: members.mapValues { _ in pick(Self.texts) }) : members
        }
    }

    private mutating func number() -> Any {
        let bits = UInt64.random(in: 0...UInt64.max, using: &generator) >> UInt64(below(64))
        let integer = Int64(bitPattern: bits)
        let double: Double = pick([
            0, -0.0, 1, 0.1, 1.5e300, Double.leastNonzeroMagnitude, 1e16, 123456789.125, Double(integer),
        ])
        return pick(
            [
                Int(integer), integer, Int32(truncatingIfNeeded: bits), Int16(truncatingIfNeeded: bits),
                Int8(truncatingIfNeeded: bits), UInt(bits), bits, UInt32(truncatingIfNeeded: bits),
                UInt16(truncatingIfNeeded: bits), UInt8(truncatingIfNeeded: bits), double, Float(double),
                CGFloat(double),
                Decimal(double), NSDecimalNumber(value: double), NSNumber(value: double),
                NSNumber(value: Float(double)),
                NSNumber(value: bits), NSNumber(value: integer), NSNumber(value: Int8(truncatingIfNeeded: bits)),
                NSNumber(value: UInt8(truncatingIfNeeded: bits)),
            ] as [Any]
        )
    }
}
