import Alamofire
import Foundation
import TestServers
import Testing

@Suite("Parameter encoders write Encodable values into requests")
struct ParameterEncoderTests {
    private struct Item: Encodable {
        let name: String
        var tags = ["a"]
    }

    private struct Refusal: Error {}
    private struct Unencodable: Encodable {
        func encode(to encoder: any Encoder) throws { throw Refusal() }
    }

    @Test("the JSON encoder writes the body, and its content type unless the request has one")
    func json() throws {
        var request = try URLRequest(url: "https://shop.test", method: .post)
        let item = Item(name: "x y")
        let encoded = try JSONParameterEncoder.sortedKeys.encode(item, into: request)
        #expect(encoded.httpBody == Data(#"{"name":"x y","tags":["a"]}"#.utf8))
        #expect(encoded.headers["Content-Type"] == "application/json")
        request.headers.add(name: "Content-Type", value: "application/vnd.api+json")
        #expect(try JSONParameterEncoder.default.encode(item, into: request).headers == request.headers)
        #expect(try JSONParameterEncoder.prettyPrinted.encode(item, into: request).httpBody?.contains(0x0A) == true)
        #expect(try JSONParameterEncoder.default.encode(Item?.none, into: request).httpBody == nil)
        #expect(throws: AlamofireError.self) { try JSONParameterEncoder.default.encode(Unencodable(), into: request) }
    }

    @Test(
        "the form encoder writes to the query or the body according to destination and method",
        arguments: [
            (HTTPMethod.get, URLEncodedFormParameterEncoder.Destination.methodDependent, true),
            (.post, .methodDependent, false),
            (.post, .queryString, true), (.get, .httpBody, false),
        ]
    )
    func form(method: HTTPMethod, destination: URLEncodedFormParameterEncoder.Destination, isQuery: Bool) throws {
        let request = try URLRequest(url: "https://shop.test/items", method: method)
        let encoder = URLEncodedFormParameterEncoder(destination: destination)
        let encoded = try encoder.encode(Item(name: "x y"), into: request)
        let form = "name=x%20y&tags%5B%5D=a"
        #expect(encoded.url?.absoluteString == "https://shop.test/items" + (isQuery ? "?\(form)" : ""))
        #expect(encoded.httpBody == (isQuery ? nil : Data(form.utf8)))
        let type = "application/x-www-form-urlencoded; charset=utf-8"
        #expect(encoded.headers["Content-Type"] == (isQuery ? nil : type))
        #expect(try encoder.encode(Item?.none, into: request) == request)
    }

    @Test("AF.request sends the encoder's output, and a dictionary without an encoder uses URLEncoding")
    func sent() async throws {
        let server = try await ReactingServer()
        let url = server.url("/items")
        let requests: [DataRequest] = [
            AF.request(
                url,
                method: .post,
                parameters: Item(name: "b"),
                encoder: JSONParameterEncoder.sortedKeys,
                headers: ["X-A": "b"]
            ),
            AF.request(url, parameters: Item(name: "b"), encoder: .urlEncodedForm),
            AF.request(url, parameters: ["q": "1"], encoder: .urlEncodedForm(destination: .queryString)),
            AF.request(url, method: .put, parameters: [1, 2], encoder: .json),
            AF.request(url, parameters: ["q": 2]),
            AF.request(url, method: .post, parameters: Item(name: "c"), encoder: .json) { $0.timeoutInterval = 5 },
        ]
        for request in requests { #expect(try await request.value.statusCode == 200) }
        let received = server.requests
        #expect(
            received.map { "\($0.head.method) \($0.head.target)" } == [
                "POST /items", "GET /items?name=b&tags%5B%5D=a", "GET /items?q=1", "PUT /items", "GET /items?q=2",
                "POST /items",
            ]
        )
        #expect(received[0].body == Data(#"{"name":"b","tags":["a"]}"#.utf8) && received[0].head["X-A"] == "b")
        #expect(received[3].body == Data("[1,2]".utf8))
        await #expect(throws: AlamofireError.self) {
            try await AF.request(url, parameters: Unencodable(), encoder: .json).value
        }
        await server.shutDown()
    }
}
