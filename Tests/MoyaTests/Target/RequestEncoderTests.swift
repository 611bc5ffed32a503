import Foundation
import Moya
import Testing

@Suite("A body has the format of its encoder")
struct RequestEncoderTests {
    /// An encoder of text.
    private struct TextEncoder: RequestEncoder {
        let contentType = "text/own"

        func encode(_ value: some Encodable) throws -> Data {
            guard let text = value as? String else { throw Failure() }
            return Data(text.utf8)
        }
    }

    private struct Failure: Error, Equatable {}

    private func request(_ task: HTTPTask, headers: [String: String]? = nil) throws -> URLRequest {
        try Endpoint(
            url: "https://a.example",
            sampleResponseClosure: { .networkResponse(200, Data()) },
            method: .post,
            task: task,
            httpHeaderFields: headers
        ).urlRequest()
    }

    @Test("a body has the bytes and the content type of an encoder, unless the target has a content type")
    func bodies() throws {
        let text = try request(.requestEncodable("a", encoder: TextEncoder()))
        #expect(text.httpBody == Data("a".utf8) && text.headers["Content-Type"] == "text/own")
        let named = try request(.requestEncodable("a", encoder: TextEncoder()), headers: ["content-type": "text/x"])
        #expect(named.headers["Content-Type"] == "text/x")
        let json = try request(.requestEncodable(["a"], encoder: JSONEncoder()))
        #expect(json.httpBody == Data("[\"a\"]".utf8) && json.headers["Content-Type"] == "application/json")
        let list = try request(.requestEncodable(["a": 1], encoder: PropertyListEncoder()))
        #expect(list.headers["Content-Type"] == "application/x-plist")
        #expect(try PropertyListDecoder().decode([String: Int].self, from: try #require(list.httpBody)) == ["a": 1])
    }

    @Test("parameters of the task, and of an endpoint closure, are added to the query")
    func queries() throws {
        let task = HTTPTask.requestEncodable("a", encoder: TextEncoder()).adding(query: ["b": 1])
        let request = try request(task)
        #expect(request.url?.query == "b=1" && request.httpBody == Data("a".utf8))
        guard case .requestParameters(_, let encoding) = HTTPTask.requestEncodable("a", encoder: TextEncoder()) else {
            Issue.record("no parameters")
            return
        }
        let merged = try self.request(.requestParameters(parameters: ["c": 2], encoding: encoding))
        #expect(merged.url?.query == "c=2" && merged.httpBody == Data("a".utf8))
    }

    @Test("the error of an encoder is an error of the request, and equal bodies are equal")
    func errors() throws {
        let error = #expect(throws: MoyaError.self) { try request(.requestEncodable(1, encoder: TextEncoder())) }
        guard case .encodableMapping(let cause)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(cause is Failure)
    }
}
