#if !canImport(Darwin)
import Foundation
import TestSupport
import Testing

@testable import MoyaHTTP

@Suite("Parameters are written with the bytes that JSONSerialization writes")
struct JSONParameterWriterTests {
    private static let options: [JSONSerialization.WritingOptions] = [
        .sortedKeys, [.sortedKeys, .prettyPrinted], [.sortedKeys, .withoutEscapingSlashes],
        [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes, .fragmentsAllowed],
    ]

    private static func compare(_ value: Any, _ options: JSONSerialization.WritingOptions) {
        let expected = Result { try JSONFoundationWriter.data(value, options: options) }
        let written = Result { try JSONParameterWriter.data(value, options: options) }
        switch (written, expected) {
        case (.success(let written), .success(let expected)):
            #expect(
                written == expected,
                "\(String(decoding: written, as: UTF8.self)) \(String(decoding: expected, as: UTF8.self))"
            )
        case (.failure(let error), .failure(let other)):
            #expect(error as? JSONEncoding.Error == other as? JSONEncoding.Error)
        default:
            Issue.record("\(written) instead of \(expected) for \(value)")
        }
    }

    @Test("every character in JSON parameters has Foundation's escape")
    func characters() {
        for first in stride(from: UInt32(0), to: 0x3000, by: 16) {
            let scalars = (first..<(first + 16)).compactMap(Unicode.Scalar.init)
            let text = String(String.UnicodeScalarView(scalars))
            for options in Self.options { Self.compare([text: text], options) }
        }
        for text in ["😀", "\u{FFFF}", "\u{FEFF}", "\u{10FFFF}", "e\u{301}", "\u{1F468}\u{200D}\u{1F469}", "\r\n"] {
            for options in Self.options { Self.compare(text, options) }
        }
    }

    @Test("empty and nested containers of JSON parameters have Foundation's layout")
    func layout() {
        let trees: [Any] = [
            [Any](), [String: Any](), [[Any](), [String: Any]()] as [Any],
            ["a": [], "b": [:], "c": [1, [2, ["d": 3]]]] as [String: Any],
        ]
        for tree in trees {
            for options in Self.options { Self.compare(tree, options) }
        }
    }

    @Test("keys of JSON parameters are sorted in Foundation's order")
    func order() {
        let names = [
            "a", "A", "b", "B", "a1", "a10", "a2", "a02", "A2", "é", "e\u{301}a", "E", "z", "ä", "_", "-", "", " ",
            "1", "10", "2",
            "名", "😀", "ß", "ss", "\u{212A}", "k",
        ]
        Self.compare(Dictionary(uniqueKeysWithValues: names.map { ($0, 1) }), .sortedKeys)
        Self.compare(Dictionary(uniqueKeysWithValues: names.map { ($0, $0 as any Sendable) }), .sortedKeys)
    }

    @Test("512 levels of JSON parameters are written, and one more is an error of the library")
    func depth() throws {
        func nested(_ levels: Int) -> Any { (0..<levels).reduce(1 as Any) { value, _ in [value] } }
        for levels in [511, 512, 513] { Self.compare(nested(levels), []) }
        #expect(throws: Never.self) { try JSONParameterWriter.data(nested(512), options: []) }
        #expect(throws: JSONEncoding.Error.nestedTooDeeply) {
            try JSONParameterWriter.data(nested(513), options: [])
        }
    }

    @Test("random JSON parameters of all types have Foundation's text or error", arguments: 1...4)
    func random(_ seed: UInt64) throws {
        var random = RandomJSON(seed: seed)
        for _ in 0..<1_500 {
            let parameter = random.parameter()
            Self.compare(parameter, Self.options[random.below(Self.options.count)])
            // Keys that are not sorted have no order, so the values are compared.
            guard let written = try? JSONParameterWriter.data(parameter, options: []) else { continue }
            let expected = try JSONFoundationWriter.data(parameter, options: [])
            #expect(written.count == expected.count)
            #expect(try NSArray(object: Self.object(written)).isEqual(NSArray(object: Self.object(expected))))
        }
    }

    private static func object(_ json: Data) throws -> Any {
        try JSONSerialization.jsonObject(with: json, options: .fragmentsAllowed)
    }
}
#endif
