import Foundation
import MoyaJSON
import Testing

@testable import MoyaHTTP

@Suite("A decoder creates the requested dynamic type")
struct DynamicTypeTests {
    private class Animal: Decodable {
        let name: String

        private enum CodingKeys: CodingKey { case name }

        required init(from decoder: any Decoder) throws {
            name = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .name)
        }
    }

    private final class Dog: Animal {}

    /// A value that requests a subclass from each decoding function of its containers.
    private struct Holder: Decodable {
        let animals: [Animal?]

        private enum Key: CodingKey { case one, optional, missing, several, inner }

        init(from decoder: any Decoder) throws {
            let type: Animal.Type = Dog.self
            let container = try decoder.container(keyedBy: Key.self)
            var several = try container.nestedUnkeyedContainer(forKey: .several)
            let inner = try container.nestedContainer(keyedBy: Key.self, forKey: .inner)
            animals = [
                try container.decode(type, forKey: .one), try container.decodeIfPresent(type, forKey: .optional),
                try container.decodeIfPresent(type, forKey: .missing), try several.decode(type),
                try several.decodeIfPresent(type), try inner.decode(type, forKey: .one),
            ]
        }
    }

    /// A value that is encoded as the value in it.
    private struct Wrapper: Decodable {
        let animal: Animal

        init(from decoder: any Decoder) throws {
            let type: Animal.Type = Dog.self
            animal = try decoder.singleValueContainer().decode(type)
        }
    }

    private let dog = Data(#"{"name":"Rex"}"#.utf8)

    @Test("a class is decoded as the requested subclass, as JSONDecoder does")
    func subclass() throws {
        for type in [Animal.self, Dog.self] as [Animal.Type] {
            let expected = try JSONDecoder().decode(type, from: dog)
            let animal = try JSONDecoder().decodeByLibrary(type, from: dog)
            #expect(Swift.type(of: animal) == Swift.type(of: expected) && Swift.type(of: animal) == type)
            #expect(animal.name == "Rex")
        }
    }

    @Test("members, elements and wrapped values are decoded as the requested subclass")
    func nested() throws {
        let text = #"{"one":D,"optional":D,"several":[D,D],"inner":{"one":D}}"#
        let json = Data(text.replacingOccurrences(of: "D", with: #"{"name":"Rex"}"#).utf8)
        let holder = try JSONDecoder().decodeByLibrary(Holder.self, from: json)
        let expected = try JSONDecoder().decode(Holder.self, from: json)
        func types(_ holder: Holder) -> [String?] { holder.animals.map { $0.map { "\(type(of: $0))" } } }
        // The standard library's container of members passes the static type to every decoder.
        #expect(types(holder) == types(expected))
        #expect(types(holder)[3...4] == ["Dog", "Dog"])
        #expect(type(of: try JSONDecoder().decodeByLibrary(Wrapper.self, from: dog).animal) == Dog.self)
        let wrappers = try JSONDecoder().decodeByLibrary([Wrapper].self, from: Data("[".utf8) + dog + Data("]".utf8))
        #expect(wrappers.map { "\(type(of: $0.animal))" } == ["Dog"])
    }
}

extension JSONDecoder {
    /// Decodes with the library's decoder, also in debug builds, on platforms that have it.
    fileprivate func decodeByLibrary<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        #if canImport(Darwin)
        return try quicklyDecode(type, from: data)
        #else
        return try decode(type, from: data, attempts: JSONAttempts())
        #endif
    }
}
