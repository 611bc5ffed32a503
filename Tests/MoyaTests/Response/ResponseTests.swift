import Foundation
import Moya
import TestSupport
import Testing

@Suite("A response describes, compares and keeps its parts")
struct ResponseTests {
    private func http(_ status: Int = 200, headers: [String: String] = [:]) throws -> HTTPURLResponse {
        let url = try #require(URL(string: "http://h/p"))
        return try #require(
            HTTPURLResponse(url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: headers)
        )
    }

    private func received(_ headers: HTTPFields = [:], body: String = "body") async throws -> Response {
        let provider = MoyaProvider<SomeTarget>(
            session: Session(
                FakeTransport { _ in
                    TransportResponse(status: 200, headers: headers, body: .complete(Data(body.utf8)))
                }
            )
        )
        return try await provider.request(SomeTarget())
    }

    @Test(
        "fact 100: the description and the debugDescription of a response have its status and length",
        arguments: [
            (200, 0, "Status Code: 200, Data Length: 0"),
            (404, 5, "Status Code: 404, Data Length: 5"),
            (-1, 1000, "Status Code: -1, Data Length: 1000"),
        ]
    )
    func description(status: Int, length: Int, expected: String) {
        let response = Response(statusCode: status, data: Data(count: length))
        #expect(response.description == expected)
        #expect(response.debugDescription == expected)
        #expect("\(response)" == expected)
    }

    @Test("fact 101: the equality of responses compares status, data and Foundation's response, and not the request")
    func equality() throws {
        let request = URLRequest(url: try #require(URL(string: "http://h/p")))
        let other = URLRequest(url: try #require(URL(string: "http://h/q")))
        let data = Data("x".utf8)
        let response = Response(statusCode: 200, data: data, request: request, response: try http())
        #expect(response == response)
        #expect(response == Response(statusCode: 200, data: data, request: request, response: try http()))
        #expect(response == Response(statusCode: 200, data: data, request: other, response: try http()))
        #expect(response == Response(statusCode: 200, data: data, request: nil, response: try http()))
        #expect(response != Response(statusCode: 201, data: data, request: request, response: try http()))
        #expect(response != Response(statusCode: 200, data: Data("y".utf8), request: request, response: try http()))
        #expect(response != Response(statusCode: 200, data: data, request: request, response: nil))
        #expect(response != Response(statusCode: 200, data: data, request: request, response: try http(201)))
        let tagged = Response(statusCode: 200, data: data, response: try http(headers: ["ETag": "1"]))
        #expect(tagged == Response(statusCode: 200, data: data, response: try http(headers: ["etag": "1"])))
        #expect(tagged != Response(statusCode: 200, data: data, response: try http(headers: ["ETag": "2"])))
        #expect(tagged != response)
        #expect(Response(statusCode: 200, data: data) == Response(statusCode: 200, data: data, request: request))
    }

    @Test("fact 101: a received response equals a response created from the same parts")
    func equalityOfReceived() async throws {
        let response = try await received([.contentType: "text/plain"])
        let url = try #require(URL(string: "http://127.0.0.1:9/thing"))
        func same(headers: [String: String]) -> Response {
            Response(
                statusCode: 200,
                data: Data("body".utf8),
                response: HTTPURLResponse(url: url, statusCode: 200, httpVersion: "HTTP/1.1", headerFields: headers)
            )
        }
        #expect(response == same(headers: ["Content-Type": "text/plain"]))
        #expect(response != same(headers: ["Content-Type": "text/html"]))
        #expect(try await received() == received())
        #expect(try await received([.eTag: "1"]) == received([.eTag: "1"]))
        #expect(try await received([.eTag: "1"]) != received([.eTag: "2"]))
        #expect(try await received() != received(body: "other"))
    }

    @Test("a response keeps the parts of its initializer")
    func parts() throws {
        let http = try http(204)
        let request = URLRequest(url: try #require(URL(string: "http://h/p")))
        let response = Response(statusCode: 200, data: Data("x".utf8), request: request, response: http)
        #expect(response.statusCode == 200)
        #expect(response.data == Data("x".utf8))
        #expect(response.request == request)
        #expect(response.response === http)
        #expect(Response(statusCode: 200, data: Data()).request == nil)
        #expect(Response(statusCode: 200, data: Data()).response == nil)
    }

    @Test("a received response has Foundation's response with its status, URL and headers")
    func head() async throws {
        let http = try #require(try await received([.contentType: "text/plain", .eTag: "\"1\""]).response)
        #expect(http.statusCode == 200)
        #expect(http.url?.absoluteString == "http://127.0.0.1:9/thing")
        #expect(http.value(forHTTPHeaderField: "content-type") == "text/plain")
        #expect(http.value(forHTTPHeaderField: "ETag") == "\"1\"")
        #expect(http.allHeaderFields.count == 2)
    }

    @Test("repeated headers are joined by a comma, ignoring the case of their names (RFC 9110, section 5.3)")
    func duplicateHeaders() async throws {
        var headers = HTTPFields()
        let name = try #require(HTTPField.Name("X-Many"))
        for value in ["one", "two", "three"] { headers.append(HTTPField(name: name, value: value)) }
        let plain = try #require(try await received(headers).response)
        #expect(plain.value(forHTTPHeaderField: "X-Many") == "one, two, three")
        #expect(plain.allHeaderFields.count == 1)
        headers.append(HTTPField(name: try #require(HTTPField.Name("x-many")), value: "four"))
        let mixed = try #require(try await received(headers).response)
        #expect(mixed.value(forHTTPHeaderField: "X-Many") == "one, two, three, four")
        #expect(mixed.allHeaderFields.count == 1)
    }

    @Test("Foundation's response is the same object at every access")
    func sameObject() async throws {
        let response = try await received()
        let first = try #require(response.response)
        #expect(response.response === first)
        #expect(response == response)
        #expect(response.response === first)
    }

    @Test("Foundation's response is the same object for concurrent threads")
    func sameObjectFromManyThreads() async throws {
        for _ in 0..<200 {
            let response = try await received()
            // The objects are retained, because an address may be reused.
            let seen = Recorder<HTTPURLResponse?>()
            DispatchQueue.concurrentPerform(iterations: 8) { _ in seen.add(response.response) }
            let first = try #require(response.response)
            #expect(seen.values.count == 8)
            #expect(seen.values.allSatisfy { $0 === first })
        }
    }
}
