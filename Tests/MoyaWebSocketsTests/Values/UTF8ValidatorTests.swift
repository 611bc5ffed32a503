import Foundation
import Testing

@testable import MoyaWebSockets

@Suite("UTF-8 is validated as it arrives (RFC 3629)")
struct UTF8ValidatorTests {
    /// Returns the number of bytes that are valid as the beginning of a text, and whether they are a whole text.
    private static func validate(_ bytes: [UInt8]) -> (valid: Int, isComplete: Bool) {
        var validator = UTF8Validator()
        for (index, byte) in bytes.enumerated() {
            guard withUnsafeBytes(of: byte, { validator.validate($0) }) else { return (index, false) }
        }
        return (bytes.count, validator.isComplete)
    }

    @Test(
        "each sequence fails with the first byte that no text can have",
        arguments: [
            ([UInt8](), 0, true),
            (Array("Hello, wörld, κόσμε, 世界, 🎉".utf8), 39, true),
            ([0x7F], 1, true), ([0x80], 0, false), ([0xBF], 0, false),
            ([0xC0, 0x80], 0, false), ([0xC1, 0xBF], 0, false), ([0xC2, 0x80], 2, true), ([0xC2], 1, false),
            ([0xC2, 0x41], 1, false),
            ([0xC2, 0xC2], 1, false), ([0xDF, 0xBF], 2, true),
            ([0xE0, 0x9F], 1, false), ([0xE0, 0xA0, 0x80], 3, true), ([0xE0, 0xA0], 2, false),
            ([0xED, 0x9F, 0xBF], 3, true), ([0xED, 0xA0], 1, false), ([0xEF, 0xBF, 0xBF], 3, true),
            ([0xEF, 0xBF, 0x41], 2, false),
            ([0xF0, 0x8F], 1, false), ([0xF0, 0x90, 0x80, 0x80], 4, true), ([0xF4, 0x8F, 0xBF, 0xBF], 4, true),
            ([0xF4, 0x90], 1, false), ([0xF5], 0, false), ([0xFF], 0, false), ([0xF0, 0x90, 0x80], 3, false),
            ([0x41, 0xED, 0xA0, 0x80], 2, false),
            ([0xEF, 0xBB, 0xBF, 0x41], 4, true), ([0x00], 1, true),
        ]
    )
    func table(_ bytes: [UInt8], _ valid: Int, _ isComplete: Bool) {
        let result = Self.validate(bytes)
        #expect(result.valid == valid)
        #expect(result.isComplete == isComplete)
    }

    @Test(
        "every sequence of up to two bytes, and of three after each leading byte, is judged as by the standard library"
    )
    func exhaustive() {
        for first in UInt8.min...(.max) {
            for second in UInt8.min...(.max) {
                Self.check([first, second])
                if first >= 0xC0, second & 0x3F == 0 || second & 0x3F == 0x3F {
                    for third in stride(from: UInt8(0x3F), through: 0xC0, by: 1) { Self.check([first, second, third]) }
                }
            }
        }
    }

    @Test("text in chunks of any size, with ASCII between, is judged like a whole one")
    func chunks() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<300 {
            var bytes: [UInt8] = []
            for _ in 0..<Int.random(in: 1...12, using: &generator) {
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: bytes += [UInt8](repeating: 0x61, count: .random(in: 1...20, using: &generator))
                case 1: bytes += Array("é世🎉".utf8)
                case 2: bytes += Array(Array("é世🎉".utf8).prefix(.random(in: 1...9, using: &generator)))
                default:
                    if Int.random(in: 0..<9, using: &generator) == 0 {
                        bytes.append(.random(in: 0x80...0xFF, using: &generator))
                    }
                }
            }
            let expected = Self.validate(bytes)
            var validator = UTF8Validator()
            var isValid = true
            var rest = bytes[...]
            while isValid, !rest.isEmpty {
                let chunk = Array(rest.prefix(.random(in: 1...17, using: &generator)))
                isValid = chunk.withUnsafeBytes { validator.validate($0) }
                rest = rest.dropFirst(chunk.count)
            }
            #expect(isValid == (expected.valid == bytes.count), "\(bytes)")
            if isValid { #expect(validator.isComplete == expected.isComplete, "\(bytes)") }
        }
    }

    private static func check(_ bytes: [UInt8]) {
        let result = validate(bytes)
        let isValid = String(validUTF8: bytes) != nil
        if (result.valid == bytes.count && result.isComplete) != isValid { Issue.record("\(bytes)") }
    }
}
