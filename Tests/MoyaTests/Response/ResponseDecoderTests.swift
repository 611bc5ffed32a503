import Foundation
import Moya
import Testing

@Suite("The function map accepts any decoder")
struct ResponseDecoderTests {
    struct User: Codable, Equatable {
        var name: String
        var ages: [Int] = []
    }

    /// A decoder of an application, for lines with a name, a colon and a value.
    struct LinesDecoder: ResponseDecoder {
        struct NoLine: Error, Equatable { let line: String }

        func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T {
            var values: [String: String] = [:]
            for line in String(decoding: data, as: UTF8.self).split(separator: "\n") {
                let parts = line.split(separator: ":", maxSplits: 1)
                guard parts.count == 2 else { throw NoLine(line: String(line)) }
                values[String(parts[0])] = String(parts[1])
            }
            return try JSONDecoder().decode(type, from: JSONEncoder().encode(values))
        }
    }

    /// A decoder of another package, which has only the method and does not import Moya.
    final class ForeignDecoder {
        func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T {
            try LinesDecoder().decode(type, from: data)
        }
    }

    private func list(_ value: some Encodable, _ format: PropertyListSerialization.PropertyListFormat = .xml) throws
        -> Response
    {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = format
        return Response(statusCode: 200, data: try encoder.encode(value))
    }

    private func response(_ body: String) -> Response { Response(statusCode: 200, data: Data(body.utf8)) }

    @Test(
        "a response with a property list is decoded",
        arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary]
    )
    func propertyList(format: PropertyListSerialization.PropertyListFormat) throws {
        let user = User(name: "ä", ages: [1, 2])
        #expect(try list(user, format).map(User.self, using: PropertyListDecoder()) == user)
        #expect(try list([user], format).map([User].self, using: PropertyListDecoder()) == [user])
    }

    @Test(
        "a property list at a key path is decoded",
        arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary]
    )
    func propertyListAtKeyPath(format: PropertyListSerialization.PropertyListFormat) throws {
        let user = User(name: "a", ages: [1, 2])
        let response = try list(["data": ["users": [user, user]], "one": ["user": [user]]], format)
        let decoder = PropertyListDecoder()
        #expect(try response.map([User].self, atKeyPath: "data.users", using: decoder) == [user, user])
        #expect(try response.map([String].self, atKeyPath: "data.users.name", using: decoder) == ["a", "a"])
        let nested = try list(["a": ["b": "text"]], format)
        #expect(try nested.map(String.self, atKeyPath: "a.b", using: decoder) == "text")
        #expect(try nested.map([String: String].self, atKeyPath: "a", using: decoder) == ["b": "text"])
    }

    @Test("an invalid property list, or a missing value in it, causes .objectMapping with the reason")
    func badPropertyList() throws {
        let decoder = PropertyListDecoder()
        for body in ["text: <", #"{"a":1}"#, "", "bplist00"] {
            for keyPath in [nil, "a"] {
                let response = response(body)
                let error = #expect(throws: MoyaError.self, "\(body)") {
                    try response.map([String: String].self, atKeyPath: keyPath, using: decoder)
                }
                guard case .objectMapping = error else {
                    Issue.record("\(body): \(String(describing: error))")
                    continue
                }
                #expect(error?.response == response)
            }
        }
        let response = try list(["a": "text"])
        for keyPath in ["b", "a.b", ""] {
            let error = #expect(throws: MoyaError.self) {
                try response.map(String.self, atKeyPath: keyPath, using: decoder)
            }
            guard case .objectMapping(DecodingError.valueNotFound(let type, let context), _) = error else {
                Issue.record("\(keyPath): \(String(describing: error))")
                continue
            }
            #expect("\(type)" == "String")
            #expect(context.debugDescription.contains("\"\(keyPath)\""))
        }
    }

    @Test("fact 112: an allowed empty body is decoded as an empty property list")
    func emptyPropertyList() throws {
        struct Item: Decodable, Equatable { var name: String? }
        let decoder = PropertyListDecoder()
        for keyPath in [nil, "a"] {
            func map<T: Decodable>(_ type: T.Type) throws -> T {
                try response("").map(type, atKeyPath: keyPath, using: decoder, failsOnEmptyData: false)
            }
            #expect(try map(Item.self) == Item())
            #expect(try map([Item].self) == [Item()])
            let error = #expect(throws: MoyaError.self) { try map(User.self) }
            #expect(error?.name == "objectMapping")
        }
        let whole = try list(["name": "a"]).map(Item.self, atKeyPath: "b", using: decoder, failsOnEmptyData: false)
        #expect(whole == Item(name: "a"))
    }

    @Test("a custom decoder is used, and its error is in .objectMapping")
    func ownDecoder() throws {
        let good = response("name:a\ncity:b:c\n")
        #expect(try good.map([String: String].self, using: LinesDecoder()) == ["name": "a", "city": "b:c"])
        let bad = response("name")
        let error = #expect(throws: MoyaError.self) { try bad.map([String: String].self, using: LinesDecoder()) }
        guard case .objectMapping(let reason as LinesDecoder.NoLine, let response) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason == LinesDecoder.NoLine(line: "name"))
        #expect(response === bad)
    }

    @Test("a decoder of another package conforms to ResponseDecoder with one line")
    func foreignDecoder() throws {
        #expect(try response("name:a").map([String: String].self, using: ForeignDecoder()) == ["name": "a"])
    }

    @Test("a decoder without emptyBodies receives an allowed empty body")
    func emptyBody() throws {
        let empty = try response("").map([String: String].self, using: LinesDecoder(), failsOnEmptyData: false)
        #expect(empty == [:])
    }

    @Test("a key path fails with UnsupportedKeyPath if the decoder supports no key paths")
    func unsupportedKeyPath() {
        let error = #expect(throws: MoyaError.self) {
            try response("name:a").map(String.self, atKeyPath: "name", using: LinesDecoder())
        }
        guard case .objectMapping(let reason as UnsupportedKeyPath, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.keyPath == "name")
        #expect(reason.decoder == "LinesDecoder")
        #expect(reason.localizedDescription.contains("LinesDecoder has no key paths"))
    }

    @Test("a decoder whose type is known only at run time is used like any other decoder")
    func anyDecoder() throws {
        let decoders: [(any ResponseDecoder, String, String)] = [
            (JSONDecoder(), #"{"name":"a"}"#, "jsonMapping"), (LinesDecoder(), "name:a", "objectMapping"),
        ]
        for (decoder, body, name) in decoders {
            #expect(try response(body).map([String: String].self, using: decoder) == ["name": "a"])
            let error = #expect(throws: MoyaError.self) {
                try response(body).map(Int.self, atKeyPath: "b", using: decoder)
            }
            #expect(error?.name == name)
        }
    }

    @Test("calls of map that pass a JSONDecoder without naming its type compile")
    func jsonDecoder() throws {
        let body = response(#"{"full_name":"a"}"#)
        struct Named: Decodable, Equatable { var fullName: String }
        #expect(try body.map(Named.self, using: .snakeCase) == Named(fullName: "a"))
        #expect(try body.map([String: String].self, using: .init()) == ["full_name": "a"])
        let map: (String.Type, String?, JSONDecoder, Bool) throws -> String = body.map
        #expect(try map(String.self, "full_name", JSONDecoder(), true) == "a")
    }

    @Test("map accepts a decoding function, and its error is in .objectMapping")
    func function() throws {
        struct Message: Equatable {
            struct Refused: Error {}
            let bytes: [UInt8]
            init(serializedBytes: Data) throws {
                guard !serializedBytes.isEmpty else { throw Refused() }
                bytes = Array(serializedBytes)
            }
        }
        let message = try response("ab").map(Message.self) { try Message(serializedBytes: $0) }
        #expect(message.bytes == [97, 98])
        #expect(try response("ab").map(using: Message.init) == message)
        let empty = response("")
        let error = #expect(throws: MoyaError.self) { try empty.map(Message.self, using: Message.init) }
        guard case .objectMapping(is Message.Refused, let response) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(response === empty)
    }
}

extension ResponseDecoderTests.ForeignDecoder: ResponseDecoder {}

extension JSONDecoder {
    fileprivate static var snakeCase: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return decoder
    }
}
