import Foundation
import Moya
import Testing

@Suite("Endpoint has the interface of the contract")
struct EndpointTests {
    /// An endpoint whose functions return the same type, as fact 6 allows.
    final class SignedEndpoint: Endpoint {
        override func adding(newHTTPHeaderFields: [String: String]) -> Endpoint {
            return SignedEndpoint(
                url: url,
                sampleResponseClosure: sampleResponseClosure,
                method: method,
                task: task,
                httpHeaderFields: newHTTPHeaderFields.merging(["Signature": "s"]) { new, _ in new }
            )
        }

        override func replacing(task: Task) -> Endpoint {
            return SignedEndpoint(
                url: url,
                sampleResponseClosure: sampleResponseClosure,
                method: method,
                task: task,
                httpHeaderFields: httpHeaderFields
            )
        }
    }

    let endpoint = Endpoint(
        url: "https://shop.test/v1/items",
        sampleResponseClosure: { .networkResponse(200, Data("tea".utf8)) },
        method: .get,
        task: .requestPlain,
        httpHeaderFields: ["A": "1"]
    )

    @Test("an endpoint keeps the arguments of its initializer")
    func properties() throws {
        let url: String = endpoint.url
        let method: Moya.Method = endpoint.method
        let headers: [String: String]? = endpoint.httpHeaderFields
        let closure: Endpoint.SampleResponseClosure = endpoint.sampleResponseClosure
        #expect(url == "https://shop.test/v1/items" && method == .get && headers == ["A": "1"])
        guard case .requestPlain = endpoint.task, case .networkResponse(200, _) = closure() else {
            Issue.record("task or sample is another")
            return
        }
    }

    @Test("adding and replacing return new endpoints, and urlRequest() can throw")
    func functions() throws {
        let add: ([String: String]) -> Endpoint = endpoint.adding(newHTTPHeaderFields:)
        let replace: (Task) -> Endpoint = endpoint.replacing(task:)
        let request: () throws -> URLRequest = endpoint.urlRequest
        #expect(add(["B": "2"]).httpHeaderFields == ["A": "1", "B": "2"])
        #expect(try replace(.requestData(Data("x".utf8))).urlRequest().httpBody == Data("x".utf8))
        #expect(try request().url?.absoluteString == endpoint.url)
    }

    @Test("a subclass of Endpoint overrides adding and replacing")
    func subclass() {
        let signed: Endpoint = SignedEndpoint(
            url: endpoint.url,
            sampleResponseClosure: endpoint.sampleResponseClosure,
            method: .post,
            task: .requestPlain,
            httpHeaderFields: nil
        )
        let changed = signed.replacing(task: .requestData(Data())).adding(newHTTPHeaderFields: ["B": "2"])
        #expect(changed is SignedEndpoint)
        #expect(changed.httpHeaderFields == ["B": "2", "Signature": "s"])
    }

    @Test("an endpoint is Equatable and Hashable")
    func equality() {
        let other = endpoint.adding(newHTTPHeaderFields: [:])
        let equal: (Endpoint, Endpoint) -> Bool = (==)
        #expect(equal(endpoint, other) && endpoint != other.adding(newHTTPHeaderFields: ["B": "2"]))
        var hasher = Hasher()
        endpoint.hash(into: &hasher)
        #expect(Set([endpoint, other]).count == 1)
        #expect([endpoint: 1][other] == 1)
    }

    @Test("EndpointSampleResponse has three cases")
    func samples() {
        func name(_ sample: EndpointSampleResponse) -> String {
            switch sample {
            case .networkResponse(let status, let data): return "\(status) \(data.count)"
            case .response(let response, let data): return "\(response.statusCode) \(data.count)"
            case .networkError(let error): return error.domain
            }
        }
        let response: (Int, Data) -> EndpointSampleResponse = EndpointSampleResponse.networkResponse
        #expect(name(response(200, Data([1]))) == "200 1")
        #expect(name(.response(Shop.head, Data())) == "201 0")
        #expect(name(.networkError(NSError(domain: "shop", code: 1))) == "shop")
    }
}
