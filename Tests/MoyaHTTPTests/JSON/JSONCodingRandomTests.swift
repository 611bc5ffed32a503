#if !canImport(Darwin)
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import MoyaHTTP

/// Random documents, types that decode them in random ways, and values that encode themselves in random ways.
@Suite("Random JSON has the results of Foundation", .ownThread)
struct JSONCodingRandomTests {
    @Test("random JSON documents have Foundation's values or errors for many types", arguments: 1...4)
    func documents(_ seed: UInt64) {
        var random = RandomJSON(seed: seed)
        // Errors are not compared: Foundation throws any of several errors, because dictionaries have no order.
        var quick = 0
        for _ in 0..<400 {
            let json = random.document()
            if JSONDocumentTests.compare([String: Strict].self, json, comparesErrors: false) { quick += 1 }
            JSONDocumentTests.compare(JSONDocumentTests.Anything.self, json, comparesErrors: false)
            JSONDocumentTests.compare([String: [String: Double?]?].self, json, comparesErrors: false)
            JSONDocumentTests.compare(JSONDocumentTests.Lossy<String>.self, json, comparesErrors: false)
            JSONDocumentTests.compare([JSONDocumentTests.Lossy<Int>].self, json, comparesErrors: false)
            JSONDocumentTests.compare(JSONDocumentTests.Wrapped.self, json, comparesErrors: false)
        }
        #expect(quick > 30)
    }

    @Test(
        "types that decode members in random order and with random calls have Foundation's values",
        arguments: 1...4
    )
    func readers(_ seed: UInt64) {
        var quick = 0
        for number in 0..<200 {
            var generator = SeededGenerator(seed: seed, number: UInt64(number))
            let json = Reader.document(depth: 3, &generator)
            Reader.$seed.withValue(generator.next()) {
                if JSONDocumentTests.compare(Reader.self, json) { quick += 1 }
            }
        }
        #expect(quick > 20)
    }

    @Test("values that encode themselves with random calls give Foundation's text", arguments: 1...4)
    func writers(_ seed: UInt64) {
        var quick = 0
        for number in 0..<300 {
            var generator = SeededGenerator(seed: seed, stream: 1, number: UInt64(number))
            let value = Writer(depth: 3, &generator)
            if JSONDocumentWriterTests.compare(value) { quick += 1 }
        }
        #expect(quick > 75)
    }
}

/// A JSON value that is decoded without attempts.
private indirect enum Strict: Decodable {
    case null
    case other(String)
    case array([Strict])
    case object([String: Strict])

    init(from decoder: any Decoder) throws {
        if try decoder.singleValueContainer().decodeNil() {
            self = .null
        } else if decoder.codingPath.count.isMultiple(of: 2) {
            self = .object(try decoder.singleValueContainer().decode([String: Strict].self))
        } else {
            self = .other(try String(from: decoder))
        }
    }
}

private struct AnyKey: CodingKey {
    var stringValue: String
    var intValue: Int?
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { return nil }
}

extension SeededGenerator {
    fileprivate mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }
    fileprivate mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }
}

/// Decodes an object in a random way; the first letter of a name determines the type of its value.
private struct Reader: Decodable {
    @TaskLocal static var seed: UInt64 = 0

    private(set) var read: [String] = []

    static func document(depth: Int, _ generator: inout SeededGenerator) -> Data {
        Data(object(depth: depth, &generator).utf8)
    }

    private static func object(depth: Int, _ generator: inout SeededGenerator) -> String {
        let letters = generator.below(20) == 0 ? "idsbnoalfuxmé\u{212A}" : "idsbnoalfuxm"
        var members: [String] = []
        for letter in letters.shuffled(using: &generator).prefix(generator.below(9)) {
            for name in ["\(letter)", "\(letter)2"].prefix(1 + generator.below(2)) {
                let space = generator.pick(["", "", "", " ", "\n"])
                let escaped =
                    generator.below(60) == 0 ? "\\u00\(String(letter.asciiValue ?? 0x61, radix: 16))" : name
                members.append("\(space)\"\(escaped)\"\(space):\(value(letter, depth: depth, &generator))\(space)")
            }
        }
        return "{\(members.joined(separator: ","))}"
    }

    private static func value(_ letter: Character, depth: Int, _ generator: inout SeededGenerator) -> String {
        let objects = (0..<generator.below(3)).map { _ in depth == 0 ? "{}" : object(depth: depth - 1, &generator) }
        switch letter {
        case _ where generator.below(80) == 0:
            return generator.pick(["null", "1.0", "true", "\"\"", "[]", "1e400"])
        case "i": return generator.pick(["0", "1", "-5", "127", "2.0"].dropLast(generator.below(2)))
        case "d": return "\(Double.random(in: -1...1, using: &generator) * generator.pick([1, 1e10, 1e-10, 1e30]))"
        case "f": return generator.pick(["0", "1.5", "-0.1", "3.14159", "1e5"])
        case "b": return generator.pick(["true", "false"])
        case "n": return "null"
        case "o": return objects.first ?? "{}"
        case "a": return "[\(objects.joined(separator: ", "))]"
        case "l": return "[\((0..<generator.below(5)).map { "\($0 * 7)" }.joined(separator: ","))]"
        case "u": return #""https://example.com/\#(generator.below(9))?q=a%20b""#
        case "x": return "\"\(Data((0..<generator.below(9)).map { UInt8($0) }).base64EncodedString())\""
        case "m": return generator.pick(["1.25", "0", "12345678901234567890.12"])
        default: return generator.pick([#""text""#, #""""#, #""a longer text, with é and 😀""#, #""\n\/\u0041""#])
        }
    }

    init(from decoder: any Decoder) throws {
        var path = SeededGenerator(seed: Self.seed)
        for key in decoder.codingPath {
            path = SeededGenerator(seed: path.next(), number: UInt64(key.stringValue.utf8.count))
        }
        if path.below(3) == 0 { read.append("\(decoder.codingPath)") }
        let container = try decoder.container(keyedBy: AnyKey.self)
        let keys = container.allKeys.map(\.stringValue).sorted()
        read.append("\(keys)")
        for _ in 0..<path.below(10) {
            let name =
                path.below(12) == 0 ? path.pick(["i", "zz", "é", "e\u{301}2", "K", "n"]) : path.pick(keys + ["i9"])
            let key = AnyKey(stringValue: name)
            guard container.contains(key) else {
                read.append("no \(name) \(try container.decodeIfPresent(Int.self, forKey: key) as Any)")
                continue
            }
            read.append("\(name)=\(try member(name.first ?? "i", key, container, &path))")
        }
    }

    private func member(
        _ letter: Character,
        _ key: AnyKey,
        _ container: KeyedDecodingContainer<AnyKey>,
        _ path: inout SeededGenerator
    ) throws -> String {
        func read<Value: Decodable>(_ type: Value.Type) throws -> String {
            switch path.below(4) {
            case 0: Description(.success(try container.decodeIfPresent(type, forKey: key))).description
            case 1: Description(.success(try container.decode(Value?.self, forKey: key))).description
            default: Description(.success(try container.decode(type, forKey: key))).description
            }
        }
        if path.below(40) == 0 { return "\((try? container.decode(Int.self, forKey: key)) as Any)" }
        if path.below(60) == 0 { return "\(try container.superDecoder(forKey: key).codingPath)" }
        switch letter {
        case "i":
            let width = path.below(3)
            return try width == 0 ? read(Int.self) : width == 1 ? read(Int16.self) : read(Double.self)
        case "d": return try path.below(2) == 0 ? read(Double.self) : read(Date.self)
        case "f": return try path.below(2) == 0 ? read(Float.self) : read(CGFloat.self)
        case "b": return try read(Bool.self)
        case "n": return "\(try container.decodeNil(forKey: key)) \(try read(String?.self))"
        case "o":
            guard path.below(3) == 0 else { return try read(Reader.self) }
            let nested = try container.nestedContainer(keyedBy: AnyKey.self, forKey: key)
            return "\(nested.codingPath) \(nested.allKeys.count) \(nested.contains(key))"
        case "a", "l": return try elements(letter, container.nestedUnkeyedContainer(forKey: key), &path)
        case "u": return try read(URL.self)
        case "x": return try read(Data.self)
        case "m": return try read(Decimal.self)
        default: return try read(String.self)
        }
    }

    private func elements(
        _ letter: Character,
        _ elements: any UnkeyedDecodingContainer,
        _ path: inout SeededGenerator
    ) throws -> String {
        var elements = elements
        var read = "\(elements.count as Any) \(elements.codingPath)"
        while !elements.isAtEnd || path.below(30) == 0 {
            read += " \(elements.currentIndex)"
            if path.below(4) == 0 { read += "\(try elements.decodeNil())" }
            if letter == "l" {
                read +=
                    path.below(2) == 0
                    ? "\(try elements.decode(Int.self))" : "\(try elements.decodeIfPresent(UInt8.self) as Any)"
            } else if path.below(3) == 0 {
                read += "\(try elements.nestedContainer(keyedBy: AnyKey.self).codingPath)"
            } else {
                read += "\(try elements.decode(Reader.self).read)"
            }
        }
        return read + "\(elements.currentIndex)"
    }
}

/// Encodes itself in a random way that does not crash Foundation.
private struct Writer: Encodable {
    private indirect enum Step {
        case member(String, Writer)
        case ifPresent(String, Int?)
        case nested(String, isObject: Bool, [Writer])
        case superclass(Writer)
        case secondContainer
    }
    private enum Kind {
        case scalar(any Encodable)
        case null
        case object([Step])
        case array([Writer], nested: Bool)
        case interleaved([Writer])
        case single(any Encodable)
        case inherited(Int, Int)
        case nothing
    }
    private let kind: Kind

    init(depth: Int, _ generator: inout SeededGenerator) {
        let names =
            ["a", "b", "c", "d", "e", "a/b", "\"", "name", "Name", "a1"]
            + (generator.below(8) == 0 ? ["é", "e\u{301}", "K", "\u{212A}"] : [])
        let children = depth == 0 ? [] : (0..<generator.below(4)).map { _ in Writer(depth: depth - 1, &generator) }
        switch generator.below(depth == 0 ? 4 : 14) {
        case 0...2: kind = .scalar(Self.scalar(&generator))
        case 3: kind = .null
        case 4...8:
            var names = names.shuffled(using: &generator)
            if generator.below(15) == 0 { names += names }
            kind = .object(
                zip(names, children + children).map { name, child in
                    switch generator.below(40) {
                    case 0, 1: .superclass(child)
                    case 2, 3: .secondContainer
                    case 4...8: .nested(name, isObject: generator.below(2) == 0, children)
                    case 9...11: .ifPresent(name, generator.pick([1, nil]))
                    default: .member(name, child)
                    }
                }
            )
        case 9, 10: kind = .array(children, nested: generator.below(3) == 0)
        case 11: kind = generator.below(3) == 0 ? .interleaved(children) : .inherited(1, 2)
        case 12: kind = generator.below(8) == 0 ? .nothing : .null
        default: kind = .single(Self.scalar(&generator))
        }
    }

    private static func scalar(_ generator: inout SeededGenerator) -> any Encodable {
        let bits = generator.next() >> UInt64(generator.below(64))
        let double = generator.below(30) == 0 ? Double.infinity : Double(bitPattern: bits)
        return generator.pick(
            [
                Int(truncatingIfNeeded: bits), Int8(truncatingIfNeeded: bits), UInt64(bits),
                UInt16(truncatingIfNeeded: bits),
                Int128(bits) * -3, UInt128(bits), true, false, double.isNaN ? 1 : double, Float(0.1), Double(bits),
                1.0, -0.0,
                Float(bitPattern: 0x7F00_0000), "", "text", "a/\"\\\n\u{1}\u{1F}\u{7F}é😀",
                URL(string: "https://a.b/c?d=é")!,
                Data([0xFF, 0xFE, 0xFD, 0]), Date(timeIntervalSinceReferenceDate: 1.5), Decimal(string: "1.10")!,
                [1, 2, 3], ["a/b", ""], [1.0, 1.5], [String](), [String: Int](), ["x": 1], [1: "a"], [Int?](),
                [1, nil],
                Optional(URL(string: "/x")!), [Data([1])], Optional<Int>.none, Optional("x"),
                UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)),
                1..<5, Set([1]), [UInt8]([1, 2]), [Float(0.1)], [JSONDocumentTests.Everything.Letter.x: 1],
                CGFloat(1.25),
            ] as [any Encodable]
        )
    }

    func encode(to encoder: any Encoder) throws {
        switch kind {
        case .scalar(let value): try value.encode(to: encoder)
        case .single(let value):
            var container = encoder.singleValueContainer()
            try container.encode(value)
        case .null:
            var container = encoder.singleValueContainer()
            try container.encodeNil()
        case .nothing: break
        case .inherited(let first, let second):
            var base = encoder.container(keyedBy: AnyKey.self)
            try base.encode(first, forKey: AnyKey(stringValue: "first"))
            var container = encoder.container(keyedBy: AnyKey.self)
            try container.encode(second, forKey: AnyKey(stringValue: "second"))
        case .array(let values, let isNested):
            var container = encoder.unkeyedContainer()
            for value in values {
                if isNested {
                    var nested = container.nestedUnkeyedContainer()
                    try nested.encode(value)
                    try nested.encodeNil()
                    try nested.encode(nested.count)
                } else {
                    try container.encode(value)
                }
            }
            try container.encode(contentsOf: [container.count])
        case .interleaved(let values):
            var container = encoder.unkeyedContainer()
            var first = container.nestedUnkeyedContainer()
            var second = container.nestedContainer(keyedBy: AnyKey.self)
            for value in values {
                try first.encode(value)
                try second.encode(value, forKey: AnyKey(stringValue: "x\(first.count)"))
            }
            try container.encode(first.count)
        case .object(let steps):
            var container = encoder.container(keyedBy: AnyKey.self)
            for step in steps { try encode(step, to: &container, encoder) }
        }
    }

    private func encode(
        _ step: Step,
        to container: inout KeyedEncodingContainer<AnyKey>,
        _ encoder: any Encoder
    ) throws {
        switch step {
        case .member(let name, let value): try container.encode(value, forKey: AnyKey(stringValue: name))
        case .ifPresent(let name, let value):
            try container.encodeIfPresent(value, forKey: AnyKey(stringValue: name))
        case .superclass(let value): try value.encode(to: container.superEncoder())
        case .secondContainer:
            var second = encoder.container(keyedBy: AnyKey.self)
            try second.encode(1, forKey: AnyKey(stringValue: "second"))
        case .nested(let name, let isObject, let values):
            // The name differs from others, because Foundation crashes if a container follows another value of the same name.
            let key = AnyKey(stringValue: (isObject ? "object " : "array ") + name)
            if isObject {
                var nested = container.nestedContainer(keyedBy: AnyKey.self, forKey: key)
                for (index, value) in values.enumerated() {
                    try nested.encode(value, forKey: AnyKey(stringValue: "\(index)"))
                }
            } else {
                var nested = container.nestedUnkeyedContainer(forKey: key)
                for value in values { try nested.encode(value) }
            }
        }
    }
}
#endif
