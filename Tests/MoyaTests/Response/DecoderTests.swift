import Foundation
import Moya
import TestSupport
import Testing

@Suite("Custom decoders decode values at key paths")
struct DecoderTests {
    private struct User: Decodable, Equatable {
        var fullName: String
        var birth: Date
    }

    private func response(_ body: String) -> Response { Response(statusCode: 200, data: Data(body.utf8)) }

    private func decoder(_ set: (JSONDecoder) -> Void) -> JSONDecoder {
        let decoder = JSONDecoder()
        set(decoder)
        return decoder
    }

    @Test("a decoder's strategies apply at a key path, and names on the path are unchanged")
    func strategies() throws {
        let decoder = decoder {
            $0.keyDecodingStrategy = .convertFromSnakeCase
            $0.dateDecodingStrategy = .iso8601
        }
        let body = response(#"{"the_data":{"full_name":"a","birth":"1970-01-01T00:01:00Z"}}"#)
        let user = try body.map(User.self, atKeyPath: "the_data", using: decoder)
        #expect(user == User(fullName: "a", birth: Date(timeIntervalSince1970: 60)))
        #expect(try body.map(Date.self, atKeyPath: "the_data.birth", using: decoder).timeIntervalSince1970 == 60)
        #expect(try body.map(String.self, atKeyPath: "the_data.full_name", using: decoder) == "a")
        let error = #expect(throws: MoyaError.self) { try body.map(User.self, atKeyPath: "theData", using: decoder) }
        #expect(error?.name == "jsonMapping")
    }

    @Test("date, data and float strategies of a decoder apply to a single value at a key path")
    func scalarStrategies() throws {
        let seconds = decoder { $0.dateDecodingStrategy = .secondsSince1970 }
        #expect(try response(#"{"a":60}"#).map(Date.self, atKeyPath: "a", using: seconds).timeIntervalSince1970 == 60)
        let own = decoder { $0.dateDecodingStrategy = .custom { _ in Date(timeIntervalSince1970: 7) } }
        #expect(try response(#"{"a":"x"}"#).map(Date.self, atKeyPath: "a", using: own).timeIntervalSince1970 == 7)
        let numbers = decoder { $0.dataDecodingStrategy = .deferredToData }
        #expect(try response(#"{"a":[1,2]}"#).map(Data.self, atKeyPath: "a", using: numbers) == Data([1, 2]))
        let infinite = decoder {
            $0.nonConformingFloatDecodingStrategy = .convertFromString(
                positiveInfinity: "inf",
                negativeInfinity: "-inf",
                nan: "nan"
            )
        }
        #expect(try response(#"{"a":"-inf"}"#).map(Double.self, atKeyPath: "a", using: infinite) == -.infinity)
    }

    @Test("a decoder's custom key strategy gets only the body's names", arguments: ["3", "null", #"{"B":3}"#])
    func keyStrategy(json: String) throws {
        struct Key: CodingKey {
            var stringValue: String
            var intValue: Int? { nil }
            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }
        struct Box: Decodable, Equatable { var b: Int }
        let seen = Recorder<String>()
        let lower = decoder {
            $0.keyDecodingStrategy = .custom { path in
                guard let key = path.last else { return Key(stringValue: "") }
                // An element's index is not a name.
                if key.intValue != nil { return key }
                seen.add(key.stringValue)
                return Key(stringValue: key.stringValue == "B" ? "b" : "unknown")
            }
        }
        let body = response("{\"A\":\(json)}")
        switch json {
        case "3": #expect(try body.map(Int.self, atKeyPath: "A", using: lower) == 3)
        case "null": #expect(try body.map(Int?.self, atKeyPath: "A", using: lower) == nil)
        default: #expect(try body.map(Box.self, atKeyPath: "A", using: lower) == Box(b: 3))
        }
        #expect(seen.values.allSatisfy { $0 == "B" }, "\(seen.values)")
    }

    @Test("a decoder's userInfo reaches the type at a key path", arguments: ["{}", "3"])
    func userInfo(json: String) throws {
        struct Reading: Decodable {
            let text: String?
            init(from decoder: any Decoder) throws {
                text = CodingUserInfoKey(rawValue: "k").flatMap { decoder.userInfo[$0] as? String }
            }
        }
        let key = try #require(CodingUserInfoKey(rawValue: "k"))
        let decoder = decoder { $0.userInfo[key] = "v" }
        #expect(try response("{\"a\":\(json)}").map(Reading.self, atKeyPath: "a", using: decoder).text == "v")
    }

    @Test(
        "numbers at a key path equal the same numbers in the whole body",
        arguments: [
            "0", "-0.0", "0.1", "1e3", "1.0", "9007199254740993", "9223372036854775807", "-9223372036854775808",
            "18446744073709551615", "1.7976931348623157e308", "5e-324", "0.30000000000000004",
            "123456789012345678901234",
        ]
    )
    func numbers(number: String) throws {
        let body = response("{\"a\":\(number),\"b\":[\(number)]}")
        func check<T: Decodable & Equatable>(_ type: T.Type) throws {
            guard let expected = try? JSONDecoder().decode(T.self, from: Data(number.utf8)) else {
                let error = #expect(throws: MoyaError.self, "\(type)") { try body.map(type, atKeyPath: "a") }
                #expect(error?.name == "objectMapping", "\(type)")
                return
            }
            #expect(try body.map(type, atKeyPath: "a") == expected, "\(type)")
            #expect(try body.map([T].self, atKeyPath: "b") == [expected], "\(type)")
        }
        try check(Double.self)
        try check(Int.self)
        try check(UInt64.self)
        try check(Int8.self)
    }

    @Test(
        "numbers in JSON with more digits than a Double are not rounded when they become a Decimal",
        arguments: ["0.1", "19.99", "1234567890.12", "79228162514264.337593", "12345678901234567890.123456789"]
    )
    func decimals(number: String) throws {
        let expected = try JSONDecoder().decode(Decimal.self, from: Data(number.utf8))
        #expect(try response("{\"a\":\(number)}").map([String: Decimal].self) == ["a": expected])
        #expect(try response("{\"a\":\(number)}").map(Decimal.self, atKeyPath: "a") == expected)
    }

    @Test("a number in JSON that is too large for any type is an error and does not crash the process")
    func hugeNumbers() {
        for number in ["1e400", "-1e400", "1e99999", String(repeating: "9", count: 10_000)] {
            let body = response("{\"a\":\(number)}")
            let whole = #expect(throws: MoyaError.self) { try body.map([String: Int].self) }
            #expect(whole?.name == "objectMapping")
            let part = #expect(throws: MoyaError.self) { try body.map(Int.self, atKeyPath: "a") }
            #expect(["objectMapping", "jsonMapping"].contains(part?.name))
            let text = #expect(throws: MoyaError.self) { try body.mapString(atKeyPath: "a") }
            #expect(["stringMapping", "jsonMapping"].contains(text?.name))
        }
    }
}
