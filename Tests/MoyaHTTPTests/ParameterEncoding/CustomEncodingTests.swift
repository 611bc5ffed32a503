import Foundation
import MoyaHTTP
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// The example in the documentation of ParameterEncoding.
struct CSVEncoding: ParameterEncoding {
    func encode(_ urlRequest: any URLRequestConvertible, with parameters: [String: any Sendable]?) throws -> URLRequest
    {
        var request = try urlRequest.asURLRequest()
        let names = (parameters ?? [:]).keys.sorted()
        request.httpBody = Data(names.joined(separator: ",").utf8)
        return request
    }
}

/// A request type of an application.
private struct Page: URLRequestConvertible {
    let number: Int

    func asURLRequest() throws -> URLRequest {
        guard number > 0, let url = URL(string: "http://h/pages/\(number)") else { throw URLError(.badURL) }
        return URLRequest(url: url)
    }
}

@Suite("Custom encodings and requests are used like the library's encodings and requests")
struct CustomEncodingTests {
    @Test("the CSVEncoding of the documentation is used through the protocol like the library's encodings")
    func csv() throws {
        let encodings: [any ParameterEncoding] = [CSVEncoding(), URLEncoding.httpBody, JSONEncoding.default]
        let bodies = try encodings.map { try $0.encode(Page(number: 1), with: ["b": 1]).httpBody }
        #expect(bodies == [Data("b".utf8), Data("b=1".utf8), Data(#"{"b":1}"#.utf8)])
        let encoded = try CSVEncoding().encode(Page(number: 7), with: ["b": 1, "a": "x", "c": NSNull()])
        #expect(encoded.httpBody == Data("a,b,c".utf8))
        #expect(encoded.url?.absoluteString == "http://h/pages/7")
        #expect(try CSVEncoding().encode(Page(number: 7), with: nil).httpBody == Data())
    }

    @Test("every encoding passes on the error of its request")
    func throwing() {
        for encoding: any ParameterEncoding in [CSVEncoding(), URLEncoding.default, JSONEncoding.default] {
            #expect(throws: URLError(.badURL)) { try encoding.encode(Page(number: 0), with: ["a": 1]) }
        }
    }

    @Test("urlRequest of a convertible value is the request, or nil if the request cannot be created")
    func urlRequest() throws {
        let url = try #require(URL(string: "http://h/pages/2"))
        #expect(Page(number: 2).urlRequest == URLRequest(url: url))
        #expect(Page(number: 0).urlRequest == nil)
        #expect(try URLRequest(url: url).asURLRequest() == URLRequest(url: url))
    }
}
