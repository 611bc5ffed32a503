import Foundation
import MoyaHTTP
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Forms can be parsed back to their values")
struct FormRoundTripTests {
    /// Any value, as an `Encodable`, as a parameter, and as the expected pairs.
    private indirect enum Value: Encodable {
        case string(String)
        case int(Int)
        case double(Double)
        case bool(Bool)
        case data(Data)
        case null
        case list([Value])
        case map([String: Value])

        static func random(_ generator: inout SeededGenerator, depth: Int) -> Value {
            switch generator.int(0...(depth > 0 ? 9 : 6)) {
            case 0: .int(generator.int(-1_000_000...1_000_000))
            case 1: .double(Double.random(in: -1e9...1e9, using: &generator))
            case 2: .bool(Bool.random(using: &generator))
            case 3: .data(Data((0..<generator.int(0...5)).map { UInt8(truncatingIfNeeded: $0 &* 77) }))
            case 4: .null
            case 5, 6: .string(generator.formText())
            case 7: .list((0..<generator.int(0...4)).map { _ in random(&generator, depth: depth - 1) })
            default: map(&generator, depth: depth - 1)
            }
        }

        static func map(_ generator: inout SeededGenerator, depth: Int) -> Value {
            var map: [String: Value] = [:]
            for _ in 0..<generator.int(0...5) { map[generator.formText()] = random(&generator, depth: depth) }
            return .map(map)
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .string(let value): try container.encode(value)
            case .int(let value): try container.encode(value)
            case .double(let value): try container.encode(value)
            case .bool(let value): try container.encode(value)
            case .data(let value): try container.encode(value)
            case .null: try container.encodeNil()
            case .list(let value): try container.encode(value)
            case .map(let value): try container.encode(value)
            }
        }

        var parameter: any Sendable {
            switch self {
            case .string(let value): value
            case .int(let value): value
            case .double(let value): value
            case .bool(let value): value
            case .data(let value): value
            case .null: NSNull()
            case .list(let value): value.map(\.parameter)
            case .map(let value): value.mapValues(\.parameter)
            }
        }

        func pairs(_ name: String) -> [[String]] {
            switch self {
            case .string(let value): [[name, value]]
            case .int(let value): [[name, String(value)]]
            case .double(let value): [[name, String(value)]]
            case .bool(let value): [[name, value ? "1" : "0"]]
            case .data(let value): [[name, value.base64EncodedString()]]
            case .null: []
            case .list(let value): value.flatMap { $0.pairs("\(name)[]") }
            case .map(let value): value.sorted { $0.key < $1.key }.flatMap { $1.pairs("\(name)[\($0)]") }
            }
        }
    }

    private static func random(seed: UInt64) -> [String: Value] {
        var generator = SeededGenerator(seed: seed)
        guard case .map(let map) = Value.map(&generator, depth: 4) else { return [:] }
        return map
    }

    private static func pairs(_ values: [String: Value]) -> [[String]] {
        values.sorted { $0.key < $1.key }.flatMap { $1.pairs($0) }
    }

    /// Returns the texts as numbers, because Swift regards é and e with an accent as equal.
    private static func scalars(_ pairs: [[String]]) -> [[[UInt32]]] {
        pairs.map { pair in pair.map { text in text.unicodeScalars.map(\.value) } }
    }

    private static func read(_ form: String) throws -> [[String]] {
        let items = try #require(URLComponents(string: "http://h/?\(form)")?.queryItems)
        return form.isEmpty ? [] : items.map { [$0.name, $0.value ?? "no value"] }
    }

    @Test("forms of random values have the same pairs in the same order when URLComponents parses them")
    func readBack() throws {
        for seed in UInt64(1)...600 {
            let values = Self.random(seed: seed)
            let expected = Self.scalars(Self.pairs(values))
            let text: String = try URLEncodedFormEncoder().encode(values)
            #expect(Self.scalars(try Self.read(text)) == expected, "seed \(seed)")
            // A parser of forms replaces + by a space first (WHATWG URL, section 5.1).
            for encoder in [URLEncodedFormEncoder(spaceEncoding: .plus), URLEncodedFormEncoder(escaping: .whatwg)] {
                let form: String = try encoder.encode(values)
                let query = form.replacingOccurrences(of: "+", with: "%20")
                #expect(Self.scalars(try Self.read(query)) == expected, "seed \(seed)")
            }
        }
    }

    @Test("forms of random values have the same text as URLEncoding's forms, in all styles")
    func sameAsURLEncoding() throws {
        let request = URLRequest(url: try #require(URL(string: "http://h/")))
        let custom = URLEncoding.ArrayEncoding.custom { "\($0)(\($1))" }
        for seed in UInt64(1)...200 {
            let values = Self.random(seed: seed)
            for array in [URLEncoding.ArrayEncoding.brackets, .noBrackets, .indexInBrackets, custom] {
                for bool in [URLEncoding.BoolEncoding.numeric, .literal] {
                    let encoding = URLEncoding(destination: .httpBody, arrayEncoding: array, boolEncoding: bool)
                    let body = try encoding.encode(request, with: values.mapValues(\.parameter)).httpBody
                    let form: Data = try URLEncodedFormEncoder(arrayEncoding: array, boolEncoding: bool).encode(values)
                    #expect(form == body, "seed \(seed)")
                }
            }
        }
    }

    private struct Sample: Encodable {
        let text: String
        let pairs: [[String]]
        let escaping: String
    }

    /// `scripts/generate/form-vectors check` reads the samples.
    @Test(
        "sample forms for other readers are written on request",
        .enabled(if: ProcessInfo.processInfo.environment["MOYA_FORM_SAMPLES"] != nil)
    )
    func samples() throws {
        let path = try #require(ProcessInfo.processInfo.environment["MOYA_FORM_SAMPLES"])
        var lines = Data()
        for seed in UInt64(1)...2_000 {
            let values = Self.random(seed: seed)
            for escaping in [URLEncodedFormEncoder.Escaping.whatwg, .rfc3986] {
                let text: String = try URLEncodedFormEncoder(escaping: escaping).encode(values)
                let sample = Sample(text: text, pairs: Self.pairs(values), escaping: "\(escaping)")
                lines += try JSONEncoder().encode(sample) + Data("\n".utf8)
            }
        }
        try lines.write(to: URL(fileURLWithPath: path))
    }
}
