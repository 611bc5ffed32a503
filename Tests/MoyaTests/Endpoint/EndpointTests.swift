import Foundation
import Moya
import Testing

@Suite("An endpoint has its target's properties and creates the request")
struct EndpointTests {
    private func endpoint(
        url: String = "http://h/p",
        task: HTTPTask = .requestPlain,
        method: Moya.Method = .get,
        headers: [String: String]? = nil
    ) -> Endpoint {
        Endpoint(
            url: url,
            sampleResponseClosure: { .networkResponse(200, Data()) },
            method: method,
            task: task,
            httpHeaderFields: headers
        )
    }

    @Test("fact 2: the default mapping copies the target, and reads sample data only for a stub")
    func defaultMapping() throws {
        let target = SomeTarget(method: .put, headers: ["A": "b"], parameters: ["k": "v"])
        let endpoint = MoyaProvider<SomeTarget>.defaultEndpointMapping(for: target)
        #expect(endpoint.url == "http://127.0.0.1:9/thing")
        #expect(endpoint.method == .put)
        #expect(endpoint.httpHeaderFields == ["A": "b"])
        guard case .requestParameters(let parameters, _) = endpoint.task else {
            Issue.record("\(endpoint.task)")
            return
        }
        #expect(parameters as? [String: String] == ["k": "v"])
        guard case .networkResponse(200, let data) = endpoint.sampleResponseClosure() else {
            Issue.record("no response")
            return
        }
        #expect(data == Data("sample".utf8))
    }

    @Test(
        "facts 3, 4: the path of a target is escaped and appended to the base URL",
        arguments: [
            ("http://h/v1", "", "http://h/v1"),
            ("http://h/v1?k=1", "", "http://h/v1?k=1"),
            ("http://h", "/x", "http://h/x"),
            ("http://h", "x", "http://h/x"),
            ("http://h/", "/x", "http://h/x"),
            ("http://h/v1", "x/", "http://h/v1/x/"),
            ("http://h/v1?k=1", "x", "http://h/v1/x?k=1"),
            ("http://h", "a?b", "http://h/a%3Fb"),
            ("http://h", "a b", "http://h/a%20b"),
            ("http://h", "a%20b", "http://h/a%2520b"),
            ("http://h", "é", "http://h/%C3%A9"),
        ]
    )
    func url(base: String, path: String, expected: String) throws {
        let target = SomeTarget(baseURL: try #require(URL(string: base)), path: path)
        #expect(URL(target: target).absoluteString == expected)
    }

    @Test("fact 5: adding headers returns a new endpoint, new headers replace old ones, and names are case-sensitive")
    func addingHeaders() {
        let old = endpoint(headers: ["A": "1", "B": "2"])
        let new = old.adding(newHTTPHeaderFields: ["B": "3", "a": "4"])
        #expect(new.httpHeaderFields == ["A": "1", "B": "3", "a": "4"])
        #expect(old.httpHeaderFields == ["A": "1", "B": "2"])
        #expect(old.adding(newHTTPHeaderFields: [:]).httpHeaderFields == ["A": "1", "B": "2"])
        #expect(endpoint().adding(newHTTPHeaderFields: [:]).httpHeaderFields == nil)
        #expect(endpoint().adding(newHTTPHeaderFields: ["A": "1"]).httpHeaderFields == ["A": "1"])
    }

    @Test("fact 5: replacing the task of an endpoint changes no other property")
    func replacingTask() throws {
        let old = endpoint(method: .post, headers: ["A": "1"])
        let new = old.replacing(task: .requestData(Data("x".utf8)))
        #expect(new.url == old.url)
        #expect(new.method == old.method)
        #expect(new.httpHeaderFields == old.httpHeaderFields)
        #expect(try new.urlRequest().httpBody == Data("x".utf8))
    }

    @Test("facts 7, 8: endpoints are equal if they send the same request, with parameters and encoders applied")
    func equality() {
        let parameters: HTTPTask = .requestParameters(parameters: ["a": 1], encoding: URLEncoding.default)
        #expect(endpoint() == endpoint())
        #expect(endpoint() != endpoint(url: "http://h/q"))
        #expect(endpoint() != endpoint(method: .post))
        #expect(endpoint() != endpoint(headers: ["A": "b"]))
        #expect(endpoint(task: parameters) == endpoint(task: parameters))
        #expect(endpoint(task: parameters) == endpoint(url: "http://h/p?a=1"))
        #expect(endpoint(task: parameters) != endpoint())
        #expect(
            endpoint(task: .requestData(Data("a".utf8)), method: .post)
                != endpoint(task: .requestData(Data("b".utf8)), method: .post)
        )
        #expect(
            endpoint(task: .requestJSONEncodable(["a": 1]), method: .post)
                == endpoint(task: .requestJSONEncodable(["a": 1]), method: .post)
        )
        #expect(
            endpoint(task: .requestJSONEncodable(["a": 1]), method: .post)
                != endpoint(task: .requestJSONEncodable(["a": 2]), method: .post)
        )
    }

    @Test("fact 7: endpoints without a valid request are compared by the texts of their URLs")
    func equalityOfFailures() {
        #expect(endpoint(url: "no url") == endpoint(url: "no url"))
        #expect(endpoint(url: "no url") != endpoint(url: "no url either"))
        #expect(endpoint(url: "no url") != endpoint())
    }

    @Test("fact 9: equal endpoints have equal hashes")
    func hashes() {
        #expect(Set([endpoint(), endpoint(), endpoint(url: "no url"), endpoint(url: "no url")]).count == 2)
    }
}
