#if !canImport(Darwin)
import Foundation
import TestTraits
import Testing

@testable import MoyaHTTP
@testable import MoyaJSON

/// Foundation's decoder determines each expected result and error.
@Suite("Decoded JSON has the values and errors of JSONDecoder", .ownThread)
struct JSONDocumentTests {
    /// Compares the results for a text.
    ///
    /// - Returns: Whether the text was decoded without Foundation.
    @discardableResult
    static func compare<Value: Decodable>(_ type: Value.Type, _ json: Data, comparesErrors: Bool = true) -> Bool {
        let expected = Result { try JSONDecoder().decode(type, from: json) }
        let result = Result { try JSONDecoder().decode(type, from: json, attempts: JSONAttempts()) }
        let text: Comment = "\(type) in \(String(decoding: json, as: UTF8.self).debugDescription)"
        if comparesErrors || (try? result.get()) != nil || (try? expected.get()) != nil {
            #expect(Description(result) == Description(expected), text)
        }
        return isQuick(type, json)
    }

    /// Returns whether a text is decoded without Foundation.
    static func isQuick<Value: Decodable>(_ type: Value.Type, _ json: Data) -> Bool {
        guard let document = JSONDocument(json) else { return false }
        do {
            _ = try document.value(type)
            return true
        } catch {
            return false
        }
    }

    @discardableResult
    static func compare<Value: Decodable>(_ type: Value.Type, _ json: String) -> Bool {
        compare(type, Data(json.utf8))
    }

    // MARK: Types

    struct User: Codable, Equatable {
        var id: Int
        var login: String
        var name: String?
        var isAdmin: Bool
        var score: Double
        var tags: [String]
    }

    struct Everything: Codable {
        enum Kind: String, Codable { case a, b }
        enum Shape: Codable {
            case circle(radius: Double)
            case square(Int, Int)
            case none
        }
        enum Letter: String, Codable, Hashable, CodingKeyRepresentable { case x, y }
        struct Point: Codable, Hashable { var x: Double, y: Float }

        var int8: Int8?, int16: Int16?, int32: Int32?, int64: Int64?, int128: Int128?
        var uint: UInt?, uint8: UInt8?, uint16: UInt16?, uint32: UInt32?, uint64: UInt64?, uint128: UInt128?
        var float: Float?, date: Date?, data: Data?, url: URL?, uuid: UUID?, decimal: Decimal?
        var kind: Kind?, shapes: [Shape]?, byName: [String: Point]?, byNumber: [Int: String]?
        var byLetter: [Letter: Int]?, points: Set<Point>?, matrix: [[Int?]]?, range: Range<Int>?, other: [Data]?
    }

    class Animal: Decodable {
        let name: String
        private enum Keys: CodingKey { case name }
        required init(from decoder: any Decoder) throws {
            name = try decoder.container(keyedBy: Keys.self).decode(String.self, forKey: .name)
        }
    }

    final class Dog: Animal, CustomStringConvertible {
        let age: Int
        private enum Keys: CodingKey { case age, base }
        required init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Keys.self)
            age = try container.decode(Int.self, forKey: .age)
            try super.init(from: container.contains(.base) ? container.superDecoder(forKey: .base) : decoder)
        }
        var description: String { "\(name) \(age)" }
    }

    /// Decodes any value by attempts.
    indirect enum Anything: Codable {
        case null
        case bool(Bool)
        case int(Int)
        case double(Double)
        case text(String)
        case array([Anything])
        case object([String: Anything])

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if container.decodeNil() {
                self = .null
            } else if let value = try? container.decode(Bool.self) {
                self = .bool(value)
            } else if let value = try? container.decode(Int.self) {
                self = .int(value)
            } else if let value = try? container.decode(Double.self) {
                self = .double(value)
            } else if let value = try? container.decode(String.self) {
                self = .text(value)
            } else if let value = try? container.decode([Anything].self) {
                self = .array(value)
            } else {
                self = .object(try container.decode([String: Anything].self))
            }
        }
    }

    /// The elements that can be decoded.
    struct Lossy<Element: Decodable>: Decodable {
        private struct Nothing: Decodable {}
        var elements: [Element] = []
        var errors: [String] = []

        init(from decoder: any Decoder) throws {
            var container = try decoder.unkeyedContainer()
            while !container.isAtEnd {
                do {
                    elements.append(try container.decode(Element.self))
                } catch {
                    errors.append("\(Description(error)) at \(container.currentIndex)")
                    _ = try container.decode(Nothing.self)
                }
            }
        }
    }

    /// Decodes each value as many types by each kind of container, and records the values and errors.
    struct Probes: Decodable {
        private enum Keys: CodingKey { case a, b }
        private static var types: [any Decodable.Type] {
            [
                Bool.self, String.self, Int.self, Int8.self, UInt8.self, Int64.self, UInt64.self, Int128.self,
                UInt128.self, Double.self, Float.self, Decimal.self, Date.self, URL.self, Data.self, UUID.self,
                [Int].self, [String].self, [Double].self, [Bool?].self, Int?.self, Dog.self, Everything.Kind.self,
            ]
        }
        var results: [String] = []

        init(from decoder: any Decoder) throws {
            for type in Self.types {
                attempt { try decoder.singleValueContainer().decode(type) }
                attempt { try decoder.container(keyedBy: Keys.self).decode(type, forKey: .a) }
                attempt { try Self.optional(type, in: decoder.container(keyedBy: Keys.self)) as Any }
                attempt { Self.elements(type, in: try decoder.unkeyedContainer()) }
            }
            attempt { try decoder.container(keyedBy: Keys.self).decodeNil(forKey: .a) }
            attempt {
                try decoder.container(keyedBy: Keys.self).superDecoder(forKey: .a).unkeyedContainer().count as Any
            }
            attempt {
                try decoder.container(keyedBy: Keys.self).nestedContainer(keyedBy: Keys.self, forKey: .a).allKeys
            }
            attempt { try decoder.container(keyedBy: Keys.self).nestedUnkeyedContainer(forKey: .a).count as Any }
        }

        private static func optional<Value: Decodable>(
            _ type: Value.Type,
            in container: KeyedDecodingContainer<Keys>
        ) throws -> Value? { try container.decodeIfPresent(type, forKey: .a) }

        /// Decodes the first element, which is consumed only if that succeeds, and an element after the end.
        private static func elements(_ type: any Decodable.Type, in elements: any UnkeyedDecodingContainer)
            -> String
        {
            var elements = elements
            var results = [describe { try elements.decode(type) }, "\(elements.currentIndex) \(elements.isAtEnd)"]
            while !elements.isAtEnd { results.append(describe { try elements.superDecoder().codingPath }) }
            results += [describe { try elements.decode(type) }, describe { try elements.decodeNil() }]
            return results.joined(separator: ";")
        }

        private static func describe(_ work: () throws -> Any) -> String {
            do { return "\(try work())" } catch { return "\(error)" }
        }

        private mutating func attempt(_ work: () throws -> Any) { results.append(Self.describe(work)) }
    }

    /// A property wrapper with a default.
    @propertyWrapper
    struct Defaulted: Decodable {
        var wrappedValue: Int
        init(from decoder: any Decoder) throws {
            wrappedValue = (try? decoder.singleValueContainer().decode(Int.self)) ?? -1
        }
    }

    struct Wrapped: Decodable {
        @Defaulted var a: Int
        var b: String
    }

    /// Coding paths and descriptions of keys, in the form in which applications print them.
    struct Paths: Decodable {
        private struct Inner: Decodable {
            var path: String
            init(from decoder: any Decoder) throws {
                path = "\(decoder.codingPath) \(decoder.codingPath.map(\.stringValue))"
                path += " \(decoder.codingPath.map(\.intValue)) \(decoder.userInfo)"
                path += String(reflecting: decoder.codingPath)
                path += "\(try decoder.singleValueContainer().codingPath)"
            }
        }
        private enum Keys: String, CodingKey { case list, object }
        private enum Names: Int, CodingKey { case one = 1 }
        var paths: [String] = []

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Keys.self)
            paths += try container.decode([Inner].self, forKey: .list).map(\.path)
            paths += try container.decode([String: Inner].self, forKey: .object).values.map(\.path).sorted()
            var list = try container.nestedUnkeyedContainer(forKey: .list)
            paths += ["\(list.codingPath) \(container.codingPath)", try list.decode(Inner.self).path]
            let names = try container.nestedContainer(keyedBy: Names.self, forKey: .object)
            paths += [try names.decode(Inner.self, forKey: .one).path, "\(names.codingPath) \(decoder.codingPath)"]
            var inner = try list.nestedUnkeyedContainer()
            paths += ["\(inner.codingPath)", try inner.decodeIfPresent(Inner.self)?.path ?? "nil"]
        }
    }

    // MARK: Tables

    static let user =
        #"{"id":583231,"login":"octocat","name":"The Octocat","isAdmin":false,"score":97.5,"tags":["swift","http"]}"#

    @Test("plain JSON texts are decoded without Foundation")
    func plain() {
        #expect(Self.compare(User.self, Self.user))
        #expect(Self.compare([User].self, " [ \(Self.user) ,\n\(Self.user) ] "))
        #expect(Self.compare([String: User].self, #"{"é":\#(Self.user),"\u0061":\#(Self.user)}"#))
        #expect(Self.compare(User.self, Self.user.replacingOccurrences(of: #""The Octocat""#, with: "null")))
        #expect(Self.compare(User.self, Self.user.replacingOccurrences(of: #""name":"The Octocat","#, with: "")))
        #expect(Self.compare(User.self, Self.user.replacingOccurrences(of: "octocat", with: #"\"\ud83d\ude00é😀"#)))
        #expect(Self.compare([Int].self, "[]"))
        #expect(Self.compare([String: Int].self, "{}"))
        #expect(Self.compare(Dog.self, #"{"name":"Rex","age":3}"#))
        #expect(Self.compare(Paths.self, #"{"list":[1,[2],3],"object":{"one":4,"1":5}}"#))
        #expect(Self.compare(Wrapped.self, #"{"a":1,"b":"x"}"#))
        #expect(Self.compare(Lossy<Int>.self, "[1,2]"))
    }

    @Test("every type of the standard library and Foundation is decoded from JSON without Foundation's decoder")
    func everything() {
        let json = #"""
            {"int8":-128,"int16":-32768,"int32":-2147483648,"int64":-9223372036854775807,"int128":5,"uint":7,"uint8":255,
            "uint16":65535,"uint32":4294967295,"uint64":18446744073709551615,"uint128":18446744073709551615,"float":0.1,
            "date":-12345.678,"data":"AAEC/w==","url":"https://example.com/a?b=c#d","kind":"b","decimal":0.1,
            "uuid":"9F8E1D0A-1234-4321-8765-0123456789AB","shapes":[{"circle":{"radius":1.5}},{"square":{"_0":1,"_1":2}},
            {"none":{}}],"byName":{"a":{"x":1,"y":2}},"byNumber":{"1":"a","2":"b"},"byLetter":{"x":1,"y":2},
            "points":[{"x":0.1,"y":0.1}],"matrix":[[1,null],[]],"range":[1,5],"other":["",""]}
            """#
        #expect(Self.compare(Everything.self, json))
        #expect(Self.compare(Everything.self, "{}"))
    }

    static let numbers = [
        "0", "-0", "1", "-1", "127", "128", "-128", "-129", "255", "256", "65536", "2147483648", "4294967296",
        "9007199254740993", "9223372036854775807", "9223372036854775808", "-9223372036854775808",
        "-9223372036854775809", "18446744073709551615", "18446744073709551616",
        "170141183460469231731687303715884105727", "1.0", "1.5", "-1.5", "0.0", "-0.0", "0.1",
        "0.30000000000000004",
        "1e3", "1E3", "1e-3", "1.5e+2", "1e22", "1e23", "1e308", "1e309", "1e-400", "5e-324", "3e-324", "1e-45",
        "3.4e38", "3.5e38", "16777217", "16777217.0", "0.000000000000000001", "1234567890.1234567890",
        "123456789012345.67", "12345678901234567.0", "900719925474099.3", "-73.98765432109876", "0e0", "0e999",
        "1.0000000000000001", "9007199254740992.5", "1e", "01", "+1", ".5", "1.", "NaN", "Infinity", "0x10",
    ]

    @Test("a JSON number has Foundation's value or error for each type", arguments: numbers)
    func number(_ number: String) {
        for json in [number, "[\(number)]", " \(number) "] {
            Self.compare(Int.self, json)
            Self.compare([Int].self, json)
            Self.compare([Int8].self, json)
            Self.compare([Int16?].self, json)
            Self.compare([Int32].self, json)
            Self.compare([Int64].self, json)
            Self.compare([Int128].self, json)
            Self.compare([UInt].self, json)
            Self.compare([UInt8].self, json)
            Self.compare([UInt16].self, json)
            Self.compare([UInt32].self, json)
            Self.compare([UInt64].self, json)
            Self.compare([UInt128].self, json)
            Self.compare([Double].self, json)
            Self.compare([Float].self, json)
            Self.compare([CGFloat].self, json)
            Self.compare([Decimal].self, json)
            Self.compare([Date].self, json)
            Self.compare([String].self, json)
            Self.compare([Bool].self, json)
            Self.compare(Lossy<Int>.self, json)
            Self.compare(Lossy<Decimal>.self, json)
            Self.compare(Anything.self, json)
        }
    }

    static let texts = [
        #""""#, #""a""#, #""\u0000""#, #""\ud800""#, #""é""#, "\"e\u{301}\"", #""\/""#, "\"\u{FEFF}\"", #""AAEC""#,
        #""AAE=""#, #""AA E=""#, #""A""#, #""AA\u003d=""#, #""A-_A""#, #""http://[""#, #""a b""#,
        #""http://a b/é?q=ü""#,
        #""file:///x""#, #""//""#, #""9F8E1D0A-1234-4321-8765-0123456789AB""#, "\"\u{1}\"", #""\x""#, "\"", "'a'",
        "true", "false", "null", "nul", "True", "{", "[", "[1,]", #"{"a":1,}"#, "", " ", "{}", "[]", "[[]]",
        "[null]",
        #"{"a":null}"#, #"{"a":1,"a":2}"#, #"{"a":1,"\u0061":2}"#, #"{"K":1,"\u212a":2}"#, #"{"é":1,"e\u0301":2}"#,
        "\u{FEFF}1", "1 2", "[1 2]", "{1:2}", #"{"a" 1}"#, "//", "[1]//", "[1]\0",
    ]

    @Test("JSON strings, other scalars and malformed documents have Foundation's value or error", arguments: texts)
    func text(_ text: String) {
        for json in [text, "[\(text)]", #"{"x":\#(text)}"#, "[1,\(text)]"] {
            Self.compare(String.self, json)
            Self.compare([String].self, json)
            Self.compare([String?].self, json)
            Self.compare([String: String].self, json)
            Self.compare([String: Int?].self, json)
            Self.compare([Int: Int].self, json)
            Self.compare([URL].self, json)
            Self.compare([Data].self, json)
            Self.compare(Data.self, json)
            Self.compare(URL.self, json)
            Self.compare(URL?.self, json)
            Self.compare([UUID].self, json)
            Self.compare([Bool].self, json)
            Self.compare([Date?].self, json)
            Self.compare([[Int]].self, json)
            Self.compare(Lossy<String>.self, json)
            Self.compare(Lossy<[String: Int]>.self, json)
            Self.compare(Anything.self, json)
            Self.compare(User.self, json)
            Self.compare(Everything.self, json)
            Self.compare(Dog.self, json)
            Self.compare(Wrapped.self, json)
            Self.compare(Paths.self, json)
        }
    }

    @Test(
        "a member of a JSON object is found by its name as text, in any escaped or composed spelling",
        arguments: [
            #"{"\u0061":1}"#, #"{"é":1}"#, "{\"e\u{301}\":1}", #"{"K":1}"#, #"{"\u212a":1}"#, #"{"":1}"#,
            #"{"a":1,"b":2,"c":3}"#, #"{"c":1,"b":2,"a":3}"#,
        ]
    )
    func names(json: String) {
        struct Key: CodingKey {
            var stringValue: String
            var intValue: Int? { nil }
            init?(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { return nil }
        }
        struct Names: Decodable {
            var found: [String] = []
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: Key.self)
                for name in ["a", "é", "e\u{301}", "K", "\u{212A}", "", "c", "b", "d", "a"] {
                    guard let key = Key(stringValue: name) else { continue }
                    found.append(
                        "\(container.contains(key)) \(try container.decodeIfPresent(Int.self, forKey: key) ?? 0)"
                    )
                }
                found += container.allKeys.map(\.stringValue).sorted()
            }
        }
        #expect(Self.compare(Names.self, json))
    }

    @Test(
        "a type that catches decoding errors catches the same errors that Foundation throws",
        arguments: [
            "null", "true", "1", "-7", "200", "1.0", "1.5", "3e2", "1e22", "9007199254740993",
            "18446744073709551615",
            #""x""#, #""é\n""#, #""AAEC""#, #""9F8E1D0A-1234-4321-8765-0123456789AB""#, "{}", "[]", "[1]", "[null]",
            #"{"name":"Rex","age":3}"#,
        ]
    )
    func probes(value: String) {
        for json in [
            value, "[\(value)]", #"{"a":\#(value)}"#, #"{"b":1,"\u0061":\#(value)}"#, #"[[{"a":[\#(value)]}]]"#,
        ] {
            Self.compare(Probes.self, json)
            Self.compare([Probes].self, json)
        }
    }

    @Test("types that catch decoding errors are decoded without Foundation")
    func caught() {
        #expect(Self.compare(Anything.self, #"{"a":[1,2.5,"x",true,null,{}],"b":1.0}"#))
        #expect(Self.compare(Lossy<Int>.self, #"[1,"x",2.5,null,3]"#))
        #expect(
            Self.compare(
                [Decimal].self,
                "[1,1.0,0.1,123456789012345.25,3e9,12345678901234567890123456789012345678]"
            )
        )
        #expect(Self.compare([Int].self, "[1.0,3e2,-9223372036854775808]"))
    }

    @Test("missing members of a JSON object are not found beside escaped, non-ASCII or many names")
    func absent() {
        let many = (0..<100).map { #""name\#($0)":\#($0)"# }.joined(separator: ",")
        for names in [#""\u0078":1,"y\/":2"#, #""größe":1,"名前":2"#, many, #""\u0078":1,"# + many] {
            #expect(Self.compare([Everything].self, "[{\(names)},{\(names),\"int8\":3}]"))
        }
    }

    @Test("decoded superclasses have Foundation's values and errors")
    func superclass() {
        #expect(Self.compare(Dog.self, #"{"base":{"name":"Rex"},"age":3}"#))
        #expect(!Self.compare(Dog.self, #"{"base":{"name":3},"age":3}"#))
        #expect(!Self.compare(Dog.self, #"{"base":null,"age":3}"#))
    }

    @Test("a decoder that a type keeps reads the values that Foundation's decoder reads, and no freed memory")
    func kept() throws {
        struct Keeper: Decodable {
            var decoder: any Decoder
            init(from decoder: any Decoder) throws { self.decoder = decoder }
        }
        struct Lazy: Decodable {
            var container: KeyedDecodingContainer<Everything.Letter.Keys>
            init(from decoder: any Decoder) throws {
                container = try decoder.container(keyedBy: Everything.Letter.Keys.self)
            }
        }
        let json = Data(#"{"x":"a text that is longer than a small one"}"#.utf8)
        #expect(!Self.isQuick(Keeper.self, json))
        #expect(!Self.isQuick(Lazy.self, json))
        let lazy = try JSONDecoder().decode(Lazy.self, from: json, attempts: JSONAttempts())
        #expect(try lazy.container.decode(String.self, forKey: .x) == "a text that is longer than a small one")

        var document = JSONDocument(json)
        let decoder = try JSONValueDecoder(#require(document), at: 0)
        document = nil
        let container = try decoder.container(keyedBy: Everything.Letter.Keys.self)
        #expect(try container.decode(String.self, forKey: .x) == "a text that is longer than a small one")
    }

    @Test("JSON in UTF-16 and UTF-32 is decoded")
    func encodings() {
        for encoding in [String.Encoding.utf16, .utf16LittleEndian, .utf16BigEndian, .utf32, .utf32LittleEndian] {
            for text in ["1", #"["é"]"#] { Self.compare([String].self, text.data(using: encoding) ?? Data()) }
            for text in ["1", "12"] { Self.compare(Int.self, text.data(using: encoding) ?? Data()) }
        }
    }

    @Test("deeply nested JSON has Foundation's value or error")
    func depth() {
        for levels in [1, 127, 128, 129, 511, 512, 513, 100_000] {
            let json = String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
            #expect(Self.compare([Bool]?.self, json) == (levels == 1))
            #expect((JSONDocument(Data(json.utf8)) != nil) == (levels <= 128))
            let objects = String(repeating: #"{"a":"#, count: levels) + "1" + String(repeating: "}", count: levels)
            Self.compare([String: Bool].self, objects)
        }
    }

    @Test("a JSON object with many names is decoded and searched in linear time")
    func manyNames() {
        let json = "{" + (0..<20_000).map { #""name\#($0)":\#($0)"# }.joined(separator: ",") + "}"
        #expect(Self.compare([String: Int].self, json))
        struct Searcher: Decodable {
            var sum = 0
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: Everything.Letter.Keys.self)
                for _ in 0..<20_000 where container.contains(.y) { sum += 1 }
            }
        }
        #expect(Self.compare(Searcher.self, json))
    }

    @Test("a JSONDecoder with other settings, or of a subclass, is called instead of the library's decoder")
    func settings() throws {
        final class Subclass: JSONDecoder, @unchecked Sendable {
            override func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T {
                try super.decode(type, from: Data("2".utf8))
            }
        }
        #expect(try Subclass().decode(Int.self, from: Data("1".utf8), attempts: JSONAttempts()) == 2)
        let changes: [(JSONDecoder) -> Void] = [
            { $0.dateDecodingStrategy = .iso8601 }, { $0.dataDecodingStrategy = .deferredToData },
            { $0.keyDecodingStrategy = .convertFromSnakeCase }, { $0.allowsJSON5 = true },
            { $0.assumesTopLevelDictionary = true },
            { $0.userInfo[CodingUserInfoKey(rawValue: "a")!] = 1 },
            {
                $0.nonConformingFloatDecodingStrategy = .convertFromString(
                    positiveInfinity: "",
                    negativeInfinity: "",
                    nan: ""
                )
            },
        ]
        #expect(JSONDecoder().hasDefaultStrategies)
        for change in changes {
            let decoder = JSONDecoder()
            change(decoder)
            #expect(!decoder.hasDefaultStrategies)
        }
    }
}

extension JSONDocumentTests.Everything.Letter {
    enum Keys: CodingKey { case x, y }
}

/// The compared parts of a result: all parts of a value, or the text of an error.
struct Description: Equatable, CustomStringConvertible {
    let description: String

    init(_ error: any Error) { description = "\(error)" }

    init<Value>(_ result: Result<Value, any Error>) {
        switch result {
        case .success(let value): description = "\(type(of: value)): \(Self.sorted(value))"
        case .failure(let error): description = "error: \(error)"
        }
    }

    /// Describes a value independently of the order of hash tables.
    private static func sorted(_ value: Any) -> String {
        if let number = value as? any BinaryFloatingPoint { return "\(number)" }
        if let text = value as? String { return String(reflecting: Array(text.unicodeScalars)) }
        if let data = value as? Data { return data.base64EncodedString() }
        if let url = value as? URL { return "\(url)" }
        let mirror = Mirror(reflecting: value)
        guard !mirror.children.isEmpty else { return String(reflecting: value) }
        let parts = mirror.children.map { "\($0.label ?? ""):\(sorted($0.value))" }
        let isUnordered = mirror.displayStyle == .dictionary || mirror.displayStyle == .set
        let ancestors = mirror.superclassMirror.map { $0.children.map { sorted($0.value) } } ?? []
        return "(\((isUnordered ? parts.sorted() : parts).joined(separator: ","))\(ancestors))"
    }
}
#endif
