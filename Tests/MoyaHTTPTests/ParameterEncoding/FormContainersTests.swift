import Foundation
import MoyaHTTP
import Testing

@Suite("The form encoder supports all uses of Encodable")
struct FormContainersTests {
    private enum Size: String, Encodable { case small, large }
    private enum Level: Int, Encodable { case low = 1 }
    private enum Shape: Encodable { case circle(radius: Int), empty }
    private struct Identifier: RawRepresentable, Encodable { let rawValue: String }

    private struct Everything: Encodable {
        var string = "a b"
        var int = -1
        var uint64 = UInt64.max
        var double = 1.0
        var big = 1e21
        var float = Float(0.1)
        var cgFloat = CGFloat(1.5)
        var decimal = Decimal(string: "12345678901234567890.123")
        var bool = true
        var url = URL(string: "p?q=1", relativeTo: URL(string: "http://h/a/b"))
        var uuid = UUID(uuidString: "00000000-0000-0000-0000-0000000000FF")
        var size = Size.large
        var level = Level.low
        var shape = Shape.circle(radius: 2)
        var none = Shape.empty
        var id = Identifier(rawValue: "x")
        var set: Set<Int> = [5]
        var names = ["b": 1, "a": 2]
        var numbers = [2: "b", 1: "a"]
        var bySize: [Size: Int] = [:]
        var nested: Int?? = 3
        var range = 1...2
    }

    @Test("every kind of value has a text in a form")
    func everything() throws {
        let expected = [
            "big=1e+21", "bool=1", "cgFloat=1.5", "decimal=12345678901234567890.123", "double=1", "float=0.1",
            "id=x", "int=-1", "level=1", "names[a]=2", "names[b]=1", "nested=3",
            "numbers[1]=a", "numbers[2]=b", "range[]=1", "range[]=2", "set[]=5", "shape[circle][radius]=2",
            "size=large", "string=a b", "uint64=18446744073709551615", "url=http://h/a/p?q=1",
            "uuid=00000000-0000-0000-0000-0000000000FF",
        ]
        #expect(try plainForm(Everything())?.split(separator: "&").map(String.init) == expected)
    }

    @Test(
        "the elements of a set are sorted by their texts, unless the form has the order of encoding"
    )
    func sets() throws {
        let words = Set((0..<20).map { "w\($0)" })
        let expected = words.sorted().map { "a[]=\($0)" }
        #expect(try plainForm(["a": words])?.split(separator: "&").map(String.init) == expected)
        #expect(try plainForm(["a": [Set([2, 10, 1])]]) == "a[][]=1&a[][]=10&a[][]=2")
        #expect(try plainForm(["a": Set([["b": 2], ["b": 1]])]) == "a[][b]=1&a[][b]=2")
        let encoded = try plainForm(["a": words], URLEncodedFormEncoder(keyOrder: .asEncoded))
        #expect(encoded?.split(separator: "&").map(String.init) == words.map { "a[]=\($0)" })
    }

    // Apple's platforms have these types in newer versions only.
    #if !canImport(Darwin)
    private struct Newer: Encodable {
        var float16 = Float16(0.5)
        var int128 = Int128.min
        var list = [Int128(7)]
        var uint128 = UInt128.max
        var wrapped = Wrapper(value: UInt128.max)
        var some = Int128?.some(1)
        var none = UInt128?.none
    }

    @Test("numbers of 128 bits and of half precision are encoded in a form")
    func newer() throws {
        let text = try plainForm(Newer(), URLEncodedFormEncoder(nilEncoding: .null))
        let numbers = "int128=\(Int128.min)&list[]=7&none=null&some=1&uint128=\(UInt128.max)&wrapped=\(UInt128.max)"
        #expect(text == "float16=0.5&" + numbers)
        #expect(throws: URLEncodedFormEncoder.Error.nonFiniteNumber(path: "a")) {
            try plainForm(["a": Float16.nan])
        }
    }
    #endif

    private struct Keys: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(_ name: String) { stringValue = name }
        init?(stringValue: String) { self.init(stringValue) }
        init?(intValue: Int) { nil }
    }

    /// A type whose encoding is a function.
    private struct Written: Encodable {
        let write: (any Encoder) throws -> Void
        func encode(to encoder: any Encoder) throws { try write(encoder) }
    }

    @Test(
        "nested containers of every kind are encoded in a form, and two requests for a container return the same container"
    )
    func nestedContainers() throws {
        let value = Written { encoder in
            var top = encoder.container(keyedBy: Keys.self)
            var keyed = top.nestedContainer(keyedBy: Keys.self, forKey: Keys("k"))
            try keyed.encode(1, forKey: Keys("a"))
            var row = keyed.nestedUnkeyedContainer(forKey: Keys("r"))
            try row.encode(true)
            try row.encodeNil()
            var inRow = row.nestedContainer(keyedBy: Keys.self)
            try inRow.encode("x", forKey: Keys("b"))
            var rowInRow = row.nestedUnkeyedContainer()
            try rowInRow.encode(UInt8(7))
            try rowInRow.encode(contentsOf: [8, 9])
            #expect(row.count == 4)
            #expect(rowInRow.codingPath.map(\.stringValue) == ["k", "r", "Index 3"])
            #expect(rowInRow.codingPath.map(\.intValue) == [nil, nil, 3])
            var again = top.nestedContainer(keyedBy: Keys.self, forKey: Keys("k"))
            try again.encode(2, forKey: Keys("z"))
            var more = encoder.container(keyedBy: Keys.self)
            try more.encode(3, forKey: Keys("m"))
        }
        let encoder = URLEncodedFormEncoder(arrayEncoding: .indexInBrackets)
        #expect(
            try plainForm(value, encoder)
                == "k[a]=1&k[r][0]=1&k[r][2][b]=x&k[r][3][0]=7&k[r][3][1]=8&k[r][3][2]=9&k[z]=2&m=3"
        )
    }

    @Test("a later value for a form's key replaces the earlier value")
    func replaced() throws {
        let value = Written { encoder in
            var top = encoder.container(keyedBy: Keys.self)
            try top.encode(1, forKey: Keys("a"))
            try top.encode(2, forKey: Keys("b"))
            try top.encode(3, forKey: Keys("a"))
        }
        #expect(try plainForm(value, URLEncodedFormEncoder(keyOrder: .asEncoded)) == "a=3&b=2")
    }

    private class Animal: Encodable {
        let name = "Rex"
    }

    private final class Dog: Animal {
        private enum CodingKeys: CodingKey { case breed, parent }
        private let style: Int

        init(style: Int) { self.style = style }

        override func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode("Collie", forKey: .breed)
            switch style {
            case 0: try super.encode(to: encoder)
            case 1: try super.encode(to: container.superEncoder())
            default: try super.encode(to: container.superEncoder(forKey: .parent))
            }
        }
    }

    @Test(
        "superclasses encode into the same container of a form or into a separate container",
        arguments: [
            (0, "breed=Collie&name=Rex"), (1, "breed=Collie&super[name]=Rex"), (2, "breed=Collie&parent[name]=Rex"),
        ]
    )
    func superclass(_ style: Int, text: String) throws {
        #expect(try plainForm(Dog(style: style)) == text)
    }

    @Test("super-encoders of a form can contain a single value, a list or nothing, and can be filled later")
    func superEncoders() throws {
        let value = Written { encoder in
            var top = encoder.container(keyedBy: Keys.self)
            let single = top.superEncoder(forKey: Keys("single"))
            _ = top.superEncoder(forKey: Keys("unused"))
            var row = top.nestedUnkeyedContainer(forKey: Keys("row"))
            let element = row.superEncoder()
            try row.encode(2)
            #expect(element.codingPath.map(\.stringValue) == ["row", "Index 0"])
            var inner = element.unkeyedContainer()
            try inner.encode(1)
            var container = single.singleValueContainer()
            try container.encode("v")
        }
        #expect(try plainForm(value) == "row[][]=1&row[]=2&single=v")
    }

    private struct Wrapper<Value: Encodable>: Encodable {
        let value: Value

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(value)
        }
    }

    @Test("values that encode another value in their place add no name to a form, also at the top level")
    func wrappers() throws {
        #expect(try plainForm(Wrapper(value: ["a": Wrapper(value: Wrapper(value: 1))])) == "a=1")
        #expect(try plainForm(Wrapper(value: ["a": [Wrapper(value: Date?.none)]])) == "")
        let existential: any Encodable = ["a": 1]
        #expect(try plainForm(existential) == "a=1")
        #expect(try plainForm(Wrapper(value: [String: Int]?.some(["a": 1]))) == "a=1")
    }

    private struct Empty: Encodable {}

    @Test("an empty value adds no pairs to a form")
    func nothing() throws {
        #expect(try plainForm(Empty()) == "")
        #expect(try plainForm([String: Int]()) == "")
        #expect(try plainForm(["a": [String: Int](), "b": [:]]) == "")
        #expect(try plainForm(["a": [Empty()]]) == "")
        #expect(try plainForm(["": ""]) == "=")
    }

    @Test("encode(to:) receives the coding path and the user info of the form encoder")
    func surroundings() throws {
        let key = try #require(CodingUserInfoKey(rawValue: "key"))
        var encoder = URLEncodedFormEncoder()
        encoder.userInfo[key] = 5
        let inner = Written { encoder in
            var container = encoder.singleValueContainer()
            let path = (encoder.codingPath + container.codingPath).map(\.stringValue).joined(separator: "/")
            try container.encode("\(path) \(encoder.userInfo[key] ?? "none")")
        }
        #expect(try plainForm(["a": [inner]], encoder) == "a[]=a/Index 0/a/Index 0 5")
    }
}
