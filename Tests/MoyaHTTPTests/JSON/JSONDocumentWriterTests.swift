#if !canImport(Darwin)
import Foundation
import Testing

@testable import MoyaHTTP
@testable import MoyaJSON

/// Foundation's encoder determines each expected text and error.
@Suite("Encoded JSON has the text and errors of JSONEncoder")
struct JSONDocumentWriterTests {
    static let formattings: [JSONEncoder.OutputFormatting] = [
        [], .sortedKeys, .withoutEscapingSlashes, [.sortedKeys, .withoutEscapingSlashes],
    ]

    /// Compares the text of a value with Foundation's: byte by byte if names are sorted, otherwise as values.
    ///
    /// - Returns: Whether the value was encoded without Foundation.
    @discardableResult
    static func compare(_ value: some Encodable) -> Bool {
        for formatting in formattings {
            let encoder = JSONEncoder()
            encoder.outputFormatting = formatting
            let expected = Result { try encoder.encode(value) }
            let result = Result { try encoder.encode(value, attempts: JSONAttempts()) }
            #expect(text(result, formatting) == text(expected, formatting))
            if case .success(let data) = result, case .success(let expected) = expected {
                #expect(data.count == expected.count)
            }
        }
        return JSONDocumentWriter([]).text(of: value) != nil
    }

    private static func text(_ result: Result<Data, any Error>, _ formatting: JSONEncoder.OutputFormatting)
        -> String
    {
        switch result {
        case .failure(let error): return "error: \(error)"
        case .success(let data):
            guard !formatting.contains(.sortedKeys),
                data.first == UInt8(ascii: "{") || data.first == UInt8(ascii: "[")
            else { return String(decoding: data, as: UTF8.self) }
            let value = try? JSONSerialization.jsonObject(with: data)
            let sorted = value.flatMap { try? JSONSerialization.data(withJSONObject: $0, options: .sortedKeys) }
            return sorted.map { String(decoding: $0, as: UTF8.self) }
                ?? "malformed: \(String(decoding: data, as: UTF8.self))"
        }
    }

    @Test("plain values are encoded as JSON without Foundation, and names keep their order")
    func plain() throws {
        let user = JSONDocumentTests.User(
            id: 1,
            login: "a/b",
            name: nil,
            isAdmin: true,
            score: 97.0,
            tags: ["x", "é\n"]
        )
        #expect(Self.compare(user))
        #expect(Self.compare([user, user]))
        #expect(Self.compare(["é": user, "b": user]))
        #expect(
            try JSONEncoder().encode(user, attempts: JSONAttempts())
                == Data(#"{"id":1,"login":"a\/b","isAdmin":true,"score":97,"tags":["x","é\n"]}"#.utf8)
        )
    }

    @Test("scalars and empty containers are encoded as JSON without Foundation")
    func scalars() {
        #expect(Self.compare(1))
        #expect(Self.compare("/\u{8}\u{C}\u{1F}\u{7F}\u{2028}"))
        #expect(Self.compare(true))
        #expect(Self.compare(Int?.none))
        #expect(Self.compare([Int]()))
        #expect(Self.compare([String: Int]()))
        #expect(Self.compare(Date(timeIntervalSinceReferenceDate: 0.1)))
        #expect(Self.compare(Data([0xFF, 0xEF, 0xFF])))
        #expect(Self.compare(URL(string: "https://example.com/a?b=c")))
        #expect(Self.compare(Decimal(string: "-12345678901234567890.5")))
        #expect(Self.compare(Decimal.nan))
        for number in [
            0, -0.0, 1, 0.1, 1e15, 1e16, 1e-5, Double.leastNonzeroMagnitude, 1.7976931348623157e308, 123456789.125,
        ] {
            #expect(Self.compare(number))
            #expect(Self.compare([Float(number)]) == Float(number).isFinite)
            #expect(Self.compare(CGFloat(number)))
        }
    }

    @Test("every type of the standard library and Foundation is encoded as JSON without Foundation's encoder")
    func everything() throws {
        let json = #"""
            {"int8":-128,"int64":-9223372036854775808,"int128":-170141183460469231731687303715884105728,"uint64":1,
            "float":0.1,"date":-12345.678,"data":"AAEC/w==","url":"https://example.com/a?b=c#d","kind":"b","decimal":0.1,
            "uuid":"9F8E1D0A-1234-4321-8765-0123456789AB","shapes":[{"circle":{"radius":1.5}},{"square":{"_0":1,"_1":2}},
            {"none":{}}],"byName":{"a":{"x":1,"y":2}},"byNumber":{"1":"a"},"byLetter":{"x":1},
            "points":[{"x":0.1,"y":0.1}],"matrix":[[1,null],[]],"range":[1,5],"other":["",""]}
            """#
        #expect(Self.compare(try JSONDecoder().decode(JSONDocumentTests.Everything.self, from: Data(json.utf8))))
    }

    @Test("numbers that are not finite, and values that encode nothing, have Foundation's error")
    func errors() {
        struct Nothing: Encodable { func encode(to encoder: any Encoder) {} }
        #expect(!Self.compare(Double.nan))
        #expect(!Self.compare([1, Float.infinity]))
        #expect(!Self.compare(["a": Date(timeIntervalSinceReferenceDate: .infinity)]))
        #expect(!Self.compare(Nothing()))
        #expect(!Self.compare([Nothing()]))
        #expect(!Self.compare(["a": Nothing()]))
    }

    @Test("values with equal names, also with different bytes, are left to Foundation")
    func names() {
        struct Key: CodingKey {
            var stringValue: String
            var intValue: Int? { nil }
            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { return nil }
        }
        struct Names: Encodable {
            var names: [String]
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Key.self)
                for (index, name) in names.enumerated() {
                    try container.encode(index, forKey: Key(stringValue: name))
                }
            }
        }
        #expect(Self.compare(Names(names: ["b", "a", "", "é", "K", "\n/"])))
        #expect(Self.compare(Names(names: (0..<1_000).map { "name \($0)" })))
        #expect(!Self.compare(Names(names: ["a", "b", "a"])))
        #expect(!Self.compare(Names(names: ["K", "\u{212A}"])))
        #expect(!Self.compare(Names(names: ["é", "e\u{301}"])))
        #expect(!Self.compare(Names(names: (0..<1_000).map { "name \($0 % 999)" })))
    }

    @Test("values that use an encoder out of order are left to Foundation")
    func order() {
        /// Writes into an outer container while it encodes itself.
        struct Outside: Encodable {
            final class Box { var container: (any UnkeyedEncodingContainer)? }
            struct Inner: Encodable {
                let box: Box
                func encode(to encoder: any Encoder) throws {
                    var container = encoder.singleValueContainer()
                    try container.encode(1)
                    try box.container?.encode(2)
                }
            }
            func encode(to encoder: any Encoder) throws {
                let box = Box()
                var container = encoder.unkeyedContainer()
                box.container = container
                try container.encode(Inner(box: box))
            }
        }
        /// Reads the coding path, from which Foundation's encoder omits some keys.
        struct Path: Encodable {
            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                try container.encode("\(encoder.codingPath)")
            }
        }
        #expect(!Self.compare(Outside()))
        #expect(!Self.compare(["a": [Path()]]))
    }

    @Test("deeply nested values have Foundation's JSON text or error")
    func depth() {
        final class Nested: Encodable {
            let inner: Nested?
            init(_ inner: Nested?) { self.inner = inner }
        }
        for levels in [1, 127, 128, 129, 510, 511, 512, 513] {
            let value = (1..<levels).reduce(Nested(nil)) { inner, _ in Nested(inner) }
            #expect(Self.compare(value) == (levels <= 128))
        }
    }

    @Test("a JSONEncoder with other settings, or of a subclass, is called instead of the library's encoder")
    func settings() throws {
        final class Subclass: JSONEncoder, @unchecked Sendable {
            override func encode<T: Encodable>(_ value: T) throws -> Data { Data("2".utf8) }
        }
        #expect(try Subclass().encode(1, attempts: JSONAttempts()) == Data("2".utf8))
        let changes: [(JSONEncoder) -> Void] = [
            { $0.dateEncodingStrategy = .iso8601 }, { $0.dataEncodingStrategy = .deferredToData },
            { $0.keyEncodingStrategy = .convertToSnakeCase }, { $0.outputFormatting = .prettyPrinted },
            { $0.userInfo[CodingUserInfoKey(rawValue: "a")!] = 1 },
            {
                $0.nonConformingFloatEncodingStrategy = .convertToString(
                    positiveInfinity: "",
                    negativeInfinity: "",
                    nan: ""
                )
            },
        ]
        for change in changes {
            let encoder = JSONEncoder()
            change(encoder)
            #expect(!encoder.hasDefaultStrategies)
        }
        for formatting in Self.formattings {
            let encoder = JSONEncoder()
            encoder.outputFormatting = formatting
            #expect(encoder.hasDefaultStrategies)
        }
    }
}
#endif
