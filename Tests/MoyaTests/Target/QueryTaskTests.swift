import Foundation
import Moya
import Testing

@Suite("A task can have an additional query")
struct QueryTaskTests {
    private func request(_ task: HTTPTask, method: Moya.Method = .post) throws -> URLRequest {
        try Endpoint(
            url: "https://a.example/x?k=1",
            sampleResponseClosure: { .networkResponse(200, Data()) },
            method: method,
            task: task
        ).urlRequest()
    }

    @Test("a task keeps its body and writes the added parameters into the query for every method")
    func body() throws {
        for method in [Moya.Method.get, .post, .delete] {
            let request = try request(
                .requestJSONEncodable(["a": 1]).adding(query: ["b": true, "c": nil as Int?]),
                method: method
            )
            #expect(request.url?.absoluteString == "https://a.example/x?k=1&b=1")
            #expect(request.httpBody == Data(#"{"a":1}"#.utf8))
            #expect(request.value(forHTTPHeaderField: "Content-Type") == "application/json")
        }
    }

    @Test("parameters added to the query have the encoding's style and are never in the body")
    func encoding() throws {
        let encoding = URLEncoding(destination: .httpBody, arrayEncoding: .noBrackets, boolEncoding: .literal)
        let request = try request(
            .requestData(Data("x".utf8)).adding(query: ["a": [1, 2], "b": true], encoding: encoding)
        )
        #expect(request.url?.query == "k=1&a=1&a=2&b=true")
        #expect(request.httpBody == Data("x".utf8))
    }

    @Test("the added parameters follow the query of the task, around and inside a compressed task")
    func nested() throws {
        let query = HTTPTask.requestParameters(parameters: ["a": 1], encoding: URLEncoding.queryString)
        #expect(try request(query.adding(query: ["b": 2]).adding(query: ["c": 3])).url?.query == "k=1&a=1&b=2&c=3")
        let inside = HTTPTask.gzipped(.requestData(Data("x".utf8)).adding(query: ["a": 1]))
        let outside = HTTPTask.gzipped(.requestData(Data("x".utf8))).adding(query: ["a": 1])
        #expect(try request(inside).url == request(outside).url)
        #expect(try request(inside).httpBody == request(outside).httpBody)
        #expect(try request(outside).value(forHTTPHeaderField: "Content-Encoding") == "gzip")
    }

    @Test("endpoints with an added query are equal only if their streamed content is equal")
    func streamed() {
        func endpoint(_ task: HTTPTask) -> Endpoint {
            Endpoint(
                url: "https://a.example",
                sampleResponseClosure: { .networkResponse(200, Data()) },
                method: .post,
                task: task.adding(query: ["a": 1])
            )
        }
        let file = URL(fileURLWithPath: "/a")
        #expect(endpoint(.uploadFile(file)) == endpoint(.uploadFile(file)))
        #expect(endpoint(.uploadFile(file)) != endpoint(.uploadFile(URL(fileURLWithPath: "/b"))))
        #expect(endpoint(.uploadFile(file)) != endpoint(.requestPlain))
    }
}
