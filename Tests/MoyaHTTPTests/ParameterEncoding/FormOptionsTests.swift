import Foundation
import MoyaHTTP
import TestSupport
import Testing

@Suite("The options of the form encoder select the style of a form")
struct FormOptionsTests {
    private struct Order: Encodable {
        var b = 1
        var a = Inner()
        var c = [["z": 1]]

        struct Inner: Encodable {
            var y = 1
            var x = 2
        }
    }

    @Test("names in a form are sorted at every level or keep the order of encoding; elements keep their order")
    func keyOrder() throws {
        #expect(try plainForm(Order()) == "a[x]=2&a[y]=1&b=1&c[][z]=1")
        #expect(try plainForm(Order(), URLEncodedFormEncoder(keyOrder: .asEncoded)) == "b=1&a[y]=1&a[x]=2&c[][z]=1")
        let pairs = FormPairs(pairs: [("é", "1"), ("z", "2"), ("B", "3"), ("b", "4"), ("a", "5")])
        #expect(try plainForm(pairs) == "B=3&a=5&b=4&z=2&é=1")
    }

    static let arrays: [(URLEncoding.ArrayEncoding, String)] = [
        (.brackets, "k[]=1&k[]=2&m[][]=3&m[][]=4&m[][]=5"),
        (.noBrackets, "k=1&k=2&m=3&m=4&m=5"),
        (.indexInBrackets, "k[0]=1&k[1]=2&m[0][0]=3&m[0][1]=4&m[1][0]=5"),
        (.custom { "\($0).\($1)" }, "k.0=1&k.1=2&m.0.0=3&m.0.1=4&m.1.0=5"),
    ]

    @Test("arrays in a form are written in the selected style", arguments: arrays)
    func array(_ style: URLEncoding.ArrayEncoding, text: String) throws {
        struct Value: Encodable {
            var k = [1, 2]
            var m = [[3, 4], [5]]
        }
        let encoder = URLEncodedFormEncoder(arrayEncoding: style)
        #expect(try plainForm(Value(), encoder) == text)
        #expect(try plainForm(["k": [Int]()], encoder) == "")
    }

    @Test("Booleans in a form are written as numbers or words")
    func bool() throws {
        #expect(try plainForm(["t": true, "f": false]) == "f=0&t=1")
        #expect(try plainForm(["t": true], URLEncodedFormEncoder(boolEncoding: .literal)) == "t=true")
        #expect(try plainForm(["n": 1], URLEncodedFormEncoder(boolEncoding: .literal)) == "n=1")
    }

    static let dataStyles: [(URLEncodedFormEncoder.DataEncoding, String)] = [
        (.deferredToData, "d[]=251&d[]=255"), (.base64, "d=+/8="), (.custom { "\($0.count) bytes" }, "d=2 bytes"),
    ]

    @Test("Data in a form is written in the selected style", arguments: dataStyles)
    func data(_ style: URLEncodedFormEncoder.DataEncoding, text: String) throws {
        #expect(try plainForm(["d": Data([0xFB, 0xFF])], URLEncodedFormEncoder(dataEncoding: style)) == text)
    }

    private static func formatter() -> DateFormatter {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "yyyy/MM/dd"
        return formatter
    }

    static let dates: [(URLEncodedFormEncoder.DateEncoding, Double, String)] = [
        (.deferredToDate, 978_307_201.5, "1.5"), (.secondsSince1970, 1_700_000_000, "1700000000"),
        (.secondsSince1970, 1_700_000_000.25, "1700000000.25"), (.secondsSince1970, -1, "-1"),
        (.secondsSince1970, 0, "0"),
        (.millisecondsSince1970, 1_700_000_000.25, "1700000000250"),
        (.millisecondsSince1970, 0.0009765625, "0.9765625"),
        (.iso8601, 0, "1970-01-01T00:00:00Z"), (.iso8601, 981_173_106, "2001-02-03T04:05:06Z"),
        (.iso8601, 253_402_300_799, "9999-12-31T23:59:59Z"), (.formatted(formatter()), 0, "1970/01/01"),
        (.custom { "day \(Int($0.timeIntervalSince1970 / 86_400))" }, 86_400, "day 1"),
    ]

    @Test("dates in a form are written in the selected style, also in arrays and optionals", arguments: 0..<12)
    func date(_ index: Int) throws {
        let (style, seconds, text) = Self.dates[index]
        let date = Date(timeIntervalSince1970: seconds)
        let encoder = URLEncodedFormEncoder(dateEncoding: style)
        #expect(try plainForm(["d": date], encoder) == "d=\(text)")
        #expect(try plainForm(["d": [Date?.some(date)]], encoder) == "d[]=\(text)")
    }

    static let keys: [(URLEncodedFormEncoder.KeyEncoding, String, String)] = [
        (.useDefaultKeys, "oneTwoURL", "oneTwoURL"),
        (.convertToSnakeCase, "oneTwoURL", "one_two_url"), (.convertToSnakeCase, "myURLProperty", "my_url_property"),
        (.convertToSnakeCase, "URLString", "url_string"), (.convertToSnakeCase, "_fooBar_", "_foo_bar_"),
        (.convertToSnakeCase, "_FooBar", "_foo_bar"), (.convertToSnakeCase, "", ""), (.convertToSnakeCase, "_", "_"),
        (.convertToSnakeCase, "version4Thing", "version4_thing"),
        (.convertToSnakeCase, "already_snake", "already_snake"),
        (.convertToSnakeCase, "ABC", "abc"),
        (.convertToSnakeCase, "HTTP2Server", "http2_server"), (.convertToSnakeCase, "utf8", "utf8"),
        (.convertToSnakeCase, "éÉcole", "é_école"),
        (.convertToKebabCase, "oneTwoURL", "one-two-url"), (.convertToKebabCase, "myURLProperty", "my-url-property"),
        (.capitalized, "oneTwo", "OneTwo"), (.capitalized, "", ""), (.capitalized, "éa", "Éa"),
        (.capitalized, "1a", "1a"),
        (.uppercased, "oneTwo", "ONETWO"), (.lowercased, "oneTWO", "onetwo"),
        (.custom { "x-\($0)" }, "oneTwo", "x-oneTwo"),
    ]

    @Test("names of properties in a form are written in the selected style, at every level", arguments: keys)
    func key(_ style: URLEncodedFormEncoder.KeyEncoding, name: String, text: String) throws {
        let encoder = URLEncodedFormEncoder(keyEncoding: style)
        #expect(try plainForm(FormPairs(pairs: [(name, "v")]), encoder) == "\(text)=v")
        // A dictionary key is data and keeps its spelling; the properties of its value do not.
        let inner = [name: [FormPairs(pairs: [(name, "v")])]]
        #expect(try plainForm(inner, encoder) == "\(name)[][\(text)]=v")
    }

    @Test("snake case in a form equals JSONEncoder's for names of letters that begin with a lowercase letter")
    func snakeCase() throws {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<500 {
            let letters = (0..<generator.int(0...9)).map { _ in "abABCÉ".randomElement(using: &generator) ?? "a" }
            let name = "a" + String(letters)
            let json = String(decoding: try encoder.encode(FormPairs(pairs: [(name, "v")])), as: UTF8.self)
            let form = try plainForm(
                FormPairs(pairs: [(name, "v")]),
                URLEncodedFormEncoder(keyEncoding: .convertToSnakeCase)
            )
            #expect(json == "{\"\(form?.dropLast(2) ?? "")\":\"v\"}", "\(name)")
        }
    }

    @Test("names that become equal in a form are both written")
    func sameNames() throws {
        let pairs = FormPairs(pairs: [("A", "1"), ("a", "2")])
        #expect(try plainForm(pairs, URLEncodedFormEncoder(keyEncoding: .lowercased)) == "a=1&a=2")
    }

    static let paths: [(URLEncodedFormEncoder.KeyPathEncoding, String)] = [
        (.brackets, "a[b][c]=1&a[l][][d]=2"), (.dots, "a.b.c=1&a.l[].d=2"),
        (.custom { "\($0)->\($1)" }, "a->b->c=1&a->l[]->d=2"),
    ]

    @Test("nested names in a form are written in the selected style", arguments: paths)
    func keyPath(_ style: URLEncodedFormEncoder.KeyPathEncoding, text: String) throws {
        struct Outer: Encodable {
            var a = Middle()
        }
        struct Middle: Encodable {
            var b = ["c": 1]
            var l = [["d": 2]]
        }
        #expect(try plainForm(Outer(), URLEncodedFormEncoder(keyPathEncoding: style)) == text)
    }

    private struct Optionals: Encodable {
        var bool: Bool?
        var string: String?
        var double: Double?
        var float: Float?
        var int: Int?
        var int8: Int8?
        var int16: Int16?
        var int32: Int32?
        var int64: Int64?
        var uint: UInt?
        var uint8: UInt8?
        var uint16: UInt16?
        var uint32: UInt32?
        var uint64: UInt64?
        var date: Date?
        var list: [Int?]?
        var map: [String: Int?]?
    }

    @Test("nil in a form is omitted, empty, null, or the result of a function, for all property types")
    func null() throws {
        let names = Mirror(reflecting: Optionals()).children.compactMap(\.label).sorted()
        #expect(names.count == 17)
        func text(_ value: String) -> String { names.map { "\($0)=\(value)" }.joined(separator: "&") }
        #expect(try plainForm(Optionals()) == "")
        #expect(try plainForm(Optionals(), URLEncodedFormEncoder(nilEncoding: .dropKey)) == "")
        #expect(try plainForm(Optionals(), URLEncodedFormEncoder(nilEncoding: .dropValue)) == text(""))
        #expect(try plainForm(Optionals(), URLEncodedFormEncoder(nilEncoding: .null)) == text("null"))
        let custom = URLEncodedFormEncoder(nilEncoding: .custom { $0.hasPrefix("uint") ? nil : "<\($0)>" })
        let expected = names.filter { !$0.hasPrefix("uint") }.map { "\($0)=<\($0)>" }.joined(separator: "&")
        #expect(try plainForm(Optionals(), custom) == expected)
    }

    @Test("nil in a form's arrays and dictionaries is written like nil in properties and keeps its index")
    func nestedNull() throws {
        let value = Optionals(list: [1, nil, 3], map: ["a": nil, "b": 2])
        var encoder = URLEncodedFormEncoder(arrayEncoding: .indexInBrackets)
        #expect(try plainForm(value, encoder) == "list[0]=1&list[2]=3&map[b]=2")
        encoder.nilEncoding = .custom { $0.contains("[") ? "nil" : nil }
        #expect(try plainForm(value, encoder) == "list[0]=1&list[1]=nil&list[2]=3&map[a]=nil&map[b]=2")
    }
}
