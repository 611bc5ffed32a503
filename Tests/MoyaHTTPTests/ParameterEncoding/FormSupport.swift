import Foundation
import MoyaHTTP
import TestSupport

/// Pairs in order, with names that no type declares.
struct FormPairs: Encodable, Sendable {
    struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    let pairs: [(String, String)]

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Name.self)
        for (name, value) in pairs { try container.encode(value, forKey: Name(stringValue: name)) }
    }
}

/// Returns the content of a form without escapes, because brackets are easier to read.
func plainForm(_ value: some Encodable, _ encoder: URLEncodedFormEncoder = URLEncodedFormEncoder()) throws -> String? {
    let text: String = try encoder.encode(value)
    return text.removingPercentEncoding
}

extension SeededGenerator {
    mutating func int(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }

    /// Returns up to nine characters: ASCII with controls, reserved characters, and others of Unicode.
    mutating func formText() -> String {
        var text = String.UnicodeScalarView()
        for _ in 0..<int(0...9) {
            let value =
                switch int(0...3) {
                case 0: int(0...0x7F)
                case 1: Int("%&=+ []#?/:@!$'()*,;.-_~".unicodeScalars.randomElement(using: &self)?.value ?? 0)
                case 2: int(0x80...0xFFFF)
                default: int(0x1_0000...0x10_FFFF)
                }
            // Surrogates are not scalars.
            text.append(Unicode.Scalar(UInt32(value)) ?? "\u{FFFD}")
        }
        return String(text)
    }
}
