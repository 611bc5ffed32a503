import Foundation
import Moya
import Testing

@Suite("Types known only at run time are decoded")
struct DynamicTypeTests {
    private class Animal: Decodable {
        let name: String

        private enum CodingKeys: CodingKey { case name }

        required init(from decoder: any Decoder) throws {
            name = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .name)
        }
    }

    private final class Dog: Animal {}

    private func response(_ body: String) -> Response { Response(statusCode: 200, data: Data(body.utf8)) }

    @Test("a subclass is decoded from the whole body, at a key path, and by any decoder")
    func map() throws {
        let type: Animal.Type = Dog.self
        let dog = #"{"name":"Rex"}"#
        let list = try PropertyListEncoder().encode(["name": "Rex"])
        let animals = [
            try response(dog).map(type),
            try response(dog).map(type, failsOnEmptyData: false),
            try response(#"{"a":{"b":\#(dog)}}"#).map(type, atKeyPath: "a.b"),
            try response(dog).output(type),
            try response(#"{"a":\#(dog)}"#).output(type, atKeyPath: "a"),
            try Response(statusCode: 200, data: list).map(type, using: PropertyListDecoder()),
        ]
        #expect(animals.map { "\(Swift.type(of: $0))" } == Array(repeating: "Dog", count: animals.count))
    }
}
