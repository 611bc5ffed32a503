import Foundation

struct Small: Codable {
    var id: Int
    var name: String
    var ok: Bool
}

struct User: Codable {
    var id: Int
    var login: String
    var name: String?
    var isAdmin: Bool
    var score: Double
    var tags: [String]
}

struct Page: Codable {
    struct Address: Codable {
        struct Point: Codable {
            var latitude: Double
            var longitude: Double
        }
        var street: String
        var city: String
        var point: Point
    }
    struct Person: Codable {
        var id: Int
        var address: Address
        var friends: [Small]
    }
    var total: Int
    var people: [Person]
}

struct Snake: Codable {
    var userId: Int
    var firstName: String
    var lastName: String
    var isAdmin: Bool
}

struct Event: Codable {
    var id: Int
    var date: Date
}

enum Level: String, Codable { case low, middle, high }
enum Code: Int, Codable { case one = 1, two, three }
struct Ticket: Codable {
    var level: Level
    var code: Code
    var levels: [Level]
}

struct Sparse: Codable {
    var id: Int
    var a: String?, b: String?, c: Int?, d: Int?, e: Double?, f: [String]?, g: Bool?, h: Small?
}

struct Links: Codable {
    var id: UUID
    var home: URL
    var image: URL?
}

struct Blob: Codable {
    var name: String
    var data: Data
}

struct Limits: Codable {
    var i8: Int8, i16: Int16, i32: Int32, i64: Int64, u8: UInt8, u64: UInt64, f: Float, d: Double
}

/// Tries one type after another with `try?`, as the AnyCodable of many applications does.
struct AnyCodable: Codable {
    enum Value {
        case null, bool(Bool), int(Int), double(Double), text(String), array([AnyCodable]), object([String: AnyCodable])
    }
    var value: Value
    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            value = .null
        } else if let bool = try? container.decode(Bool.self) {
            value = .bool(bool)
        } else if let int = try? container.decode(Int.self) {
            value = .int(int)
        } else if let double = try? container.decode(Double.self) {
            value = .double(double)
        } else if let text = try? container.decode(String.self) {
            value = .text(text)
        } else if let array = try? container.decode([AnyCodable].self) {
            value = .array(array)
        } else {
            value = .object(try container.decode([String: AnyCodable].self))
        }
    }
    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch value {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .int(let value): try container.encode(value)
        case .double(let value): try container.encode(value)
        case .text(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }
}

/// An identifier that servers write as a number or as a text.
struct LooseID: Codable {
    var id: String
    enum Keys: CodingKey { case id }
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Keys.self)
        if let number = try? container.decode(Int.self, forKey: .id) {
            id = String(number)
        } else {
            id = try container.decode(String.self, forKey: .id)
        }
    }
}

/// The elements that can be decoded.
struct Lossy<Element: Decodable>: Decodable {
    private struct Nothing: Decodable {}
    var elements: [Element] = []
    init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        while !container.isAtEnd {
            do { elements.append(try container.decode(Element.self)) } catch { _ = try container.decode(Nothing.self) }
        }
    }
}

class Animal: Codable {
    var name: String
    var legs: Int
    init(name: String, legs: Int) {
        self.name = name
        self.legs = legs
    }
}

final class Dog: Animal {
    var age: Int
    enum Keys: CodingKey { case age }
    init(age: Int) {
        self.age = age
        super.init(name: "Rex", legs: 4)
    }
    required init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Keys.self)
        age = try container.decode(Int.self, forKey: .age)
        try super.init(from: container.superDecoder())
    }
    override func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        try container.encode(age, forKey: .age)
        try super.encode(to: container.superEncoder())
    }
}

enum Shape: Codable {
    case circle(radius: Double)
    case square(side: Double, name: String)
    enum Keys: CodingKey { case type, radius, side, name }
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Keys.self)
        switch try container.decode(String.self, forKey: .type) {
        case "circle": self = .circle(radius: try container.decode(Double.self, forKey: .radius))
        default:
            self = .square(
                side: try container.decode(Double.self, forKey: .side),
                name: try container.decode(String.self, forKey: .name)
            )
        }
    }
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        switch self {
        case .circle(let radius):
            try container.encode("circle", forKey: .type)
            try container.encode(radius, forKey: .radius)
        case .square(let side, let name):
            try container.encode("square", forKey: .type)
            try container.encode(side, forKey: .side)
            try container.encode(name, forKey: .name)
        }
    }
}

enum Action: Codable {
    case open(url: String)
    case wait(Double)
    case stop
}

/// Opens nested containers, and checks their content.
struct Manual: Codable {
    enum Keys: String, CodingKey { case values, inner, extra }
    enum Inner: String, CodingKey { case a, b }
    var values: [Int] = []
    var a: Int
    var count = 0
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Keys.self)
        var list = try container.nestedUnkeyedContainer(forKey: .values)
        while !list.isAtEnd { values.append(try list.decode(Int.self)) }
        let inner = try container.nestedContainer(keyedBy: Inner.self, forKey: .inner)
        a = try inner.decode(Int.self, forKey: .a)
        if container.contains(.extra), try !container.decodeNil(forKey: .extra) { count += 1 }
        count += container.allKeys.count
    }
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        var list = container.nestedUnkeyedContainer(forKey: .values)
        for value in values { try list.encode(value) }
        var inner = container.nestedContainer(keyedBy: Inner.self, forKey: .inner)
        try inner.encode(a, forKey: .a)
    }
}

indirect enum Tree: Codable {
    case leaf
    case node(Tree)
    enum Keys: CodingKey { case child }
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Keys.self)
        self = try container.decodeIfPresent(Tree.self, forKey: .child).map { .node($0) } ?? .leaf
    }
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        if case .node(let tree) = self { try container.encode(tree, forKey: .child) }
    }
}

struct Nothing: Codable {}
struct OnlyID: Codable { var id: Int }

/// Encodes into a nested container again after other keys.
struct Interleaved: Encodable {
    enum Keys: CodingKey { case a, b, c }
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        var list = container.nestedUnkeyedContainer(forKey: .a)
        try list.encode(1)
        try container.encode("b", forKey: .b)
        try list.encode(2)
        try container.encode("c", forKey: .c)
    }
}

struct Path: Encodable {
    enum Keys: CodingKey { case a, b }
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        try container.encode(encoder.codingPath.count, forKey: .a)
        try container.encode("b", forKey: .b)
    }
}
