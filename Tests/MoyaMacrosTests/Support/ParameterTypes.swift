#if Macros
import MoyaMacros

// These types are parameters of every kind; some cannot be written into a request.

/// An enumeration that encodes its raw value.
enum Direction: String, Codable, Sendable {
    case up = "asc end"
    case down = "desc/end"
}

/// An enumeration with raw values that is not `Encodable`.
enum Rank: Int, Sendable { case first = 1, second = 2 }

/// An enumeration whose description is not its raw value.
enum Described: String, Codable, CustomStringConvertible, Sendable {
    case only = "raw"

    var description: String { "description" }
}

/// An enumeration without text, which encodes a name without a value.
enum Textless: Codable, Sendable { case big, small }

/// An enumeration without text that is not `Encodable`.
enum Nameless: Sendable { case big }

/// An identifier that encodes its raw value.
struct Identifier: RawRepresentable, Codable, Hashable, Sendable {
    var rawValue: String
}

/// An identifier whose raw value has the same type.
struct Reference: RawRepresentable, Sendable {
    var rawValue: Identifier
}

/// A class that encodes one text.
final class Ticket: Encodable, Sendable {
    let code: String

    init(code: String) { self.code = code }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(code)
    }
}

/// Options that are sent as their raw value.
struct Flags: OptionSet, Sendable {
    let rawValue: Int
}

/// A type with one text, which encodes several properties.
struct Version: Codable, LosslessStringConvertible, Sendable {
    var major: Int
    var minor: Int

    init(_ major: Int, _ minor: Int) { (self.major, self.minor) = (major, minor) }

    init?(_ description: String) {
        let parts = description.split(separator: ".").compactMap { Int($0) }
        guard parts.count == 2 else { return nil }
        self.init(parts[0], parts[1])
    }

    var description: String { "\(major).\(minor)" }
}

/// A type that encodes its properties and has a description for users.
struct Person: Codable, CustomStringConvertible, Sendable {
    var name: String
    var born: Date?

    var description: String { "Person(\(name))" }
}

/// A structure with values of several kinds.
struct Place: Encodable, Sendable {
    var x = 1.5
    var isOpen = true
    var direction: Direction? = .up
    var tags: Set<Rank.RawValue> = [2, 1]
    var note: String?
}

/// A structure whose property has no text.
struct Container: Encodable, Sendable {
    var size = Textless.small
}

/// A structure with content for parts.
struct Attachment: Encodable, Sendable {
    var file: URL
    var bytes: Data
    var title: String
}

/// A value that cannot be encoded.
struct Unencodable: Encodable, Sendable {
    struct Failure: Error, Equatable {}

    func encode(to encoder: any Encoder) throws { throw Failure() }
}
#endif
