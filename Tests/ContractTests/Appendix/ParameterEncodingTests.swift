import Foundation
import Moya
import Testing

@Suite("ParameterEncoding, URLEncoding and JSONEncoding have the interface of the contract's appendix")
struct ParameterEncodingTests {
    /// An encoding that an application declares.
    struct TextEncoding: ParameterEncoding {
        func encode(_ urlRequest: URLRequestConvertible, with parameters: [String: any Sendable]?) throws -> URLRequest
        {
            var request = try urlRequest.asURLRequest()
            request.httpBody = Data((parameters ?? [:]).keys.sorted().joined(separator: ",").utf8)
            return request
        }
    }

    struct ShopRequest: URLRequestConvertible {
        func asURLRequest() throws -> URLRequest { return Shop.request }
    }

    @Test("an application can implement an encoding and a convertible request")
    func own() throws {
        let encoding: ParameterEncoding = TextEncoding()
        #expect(try encoding.encode(ShopRequest(), with: ["b": 1, "a": 2]).httpBody == Data("a,b".utf8))
        let convertible: URLRequestConvertible = Shop.request
        #expect(try convertible.asURLRequest() == Shop.request)
    }

    @Test("URLEncoding has defaults for all of its options")
    func urlEncoding() throws {
        func name(_ encoding: URLEncoding) -> String {
            let destination: String
            switch encoding.destination {
            case .methodDependent: destination = "methodDependent"
            case .queryString: destination = "queryString"
            case .httpBody: destination = "httpBody"
            }
            let array: String
            switch encoding.arrayEncoding {
            case .brackets: array = "brackets"
            case .noBrackets: array = "noBrackets"
            case .indexInBrackets: array = "indexInBrackets"
            case .custom(let name): array = name("k", 1)
            }
            switch encoding.boolEncoding {
            case .numeric: return "\(destination) \(array) numeric"
            case .literal: return "\(destination) \(array) literal"
            }
        }
        let all: [URLEncoding] = [
            .default, .queryString, .httpBody, URLEncoding(), URLEncoding(destination: .httpBody),
            URLEncoding(arrayEncoding: .noBrackets), URLEncoding(boolEncoding: .literal),
            URLEncoding(destination: .queryString, arrayEncoding: .indexInBrackets, boolEncoding: .literal),
            URLEncoding(arrayEncoding: .custom { key, index in "\(key).\(index)" }),
        ]
        #expect(
            all.map(name) == [
                "methodDependent brackets numeric", "queryString brackets numeric", "httpBody brackets numeric",
                "methodDependent brackets numeric", "httpBody brackets numeric", "methodDependent noBrackets numeric",
                "methodDependent brackets literal", "queryString indexInBrackets literal",
                "methodDependent k.1 numeric",
            ]
        )
        let encode: (URLRequestConvertible, [String: any Sendable]?) throws -> URLRequest = URLEncoding.default.encode(
            _:
            with:
        )
        #expect(try encode(Shop.request, ["a": [1, 2]]).url?.query == "a%5B%5D=1&a%5B%5D=2")
        #expect(URLEncoding.default.escape("a b") == "a%20b")
        let pairs: [(String, String)] = URLEncoding.default.queryComponents(fromKey: "a", value: true)
        #expect(pairs.map { $0.0 + $0.1 } == ["a1"])
    }

    @Test("JSONEncoding has options and can fail with an error")
    func jsonEncoding() throws {
        let options: JSONSerialization.WritingOptions = JSONEncoding.prettyPrinted.options
        #expect(options == .prettyPrinted && JSONEncoding.default.options == [] && JSONEncoding().options == [])
        #expect(JSONEncoding(options: .sortedKeys).options == .sortedKeys)
        #expect(try JSONEncoding.default.encode(Shop.request, with: ["a": 1]).httpBody == Data(#"{"a":1}"#.utf8))
        #expect(try JSONEncoding.default.encode(Shop.request, withJSONObject: [1]).httpBody == Data("[1]".utf8))
        #expect(try JSONEncoding.default.encode(Shop.request).httpBody == nil)
        do {
            _ = try JSONEncoding.default.encode(Shop.request, withJSONObject: ["a": Date()])
            Issue.record("a date became JSON")
        } catch let error as JSONEncoding.Error {
            // The error is not an enum, so the switch needs a default.
            switch error {
            case .invalidJSONObject: break
            default: Issue.record("another error")
            }
        }
    }
}
