import Foundation
import Moya
import Testing

@Suite("Earlier names for the parameters and headers of an endpoint are available")
struct EndpointParametersTests {
    struct Parameters: CompatibilityNames {
        @available(*, deprecated)
        func check() throws {
            let sample: Endpoint.SampleResponseClosure = { .networkResponse(200, Data()) }
            let parameters: [String: Any] = ["a": 1]
            let plain = Endpoint(url: "https://shop.test", sampleResponseClosure: sample)
            #expect(try plain.urlRequest().httpMethod == "GET")
            #expect(try plain.urlRequest().url?.query == nil)
            let query = Endpoint(
                url: "https://shop.test",
                sampleResponseClosure: sample,
                method: .get,
                parameters: parameters
            )
            #expect(try query.urlRequest().url?.query == "a=1")
            let json = Endpoint(
                url: "https://shop.test",
                sampleResponseClosure: sample,
                method: .post,
                parameters: parameters,
                parameterEncoding: JSONEncoding.default,
                httpHeaderFields: ["B": "2"]
            )
            #expect(try json.urlRequest().httpBody == Data(#"{"a":1}"#.utf8))
            #expect(json.httpHeaderFields == ["B": "2"])
        }
    }

    struct Headers: CompatibilityNames {
        @available(*, deprecated)
        func check() {
            let endpoint = MoyaProvider<Shop>.defaultEndpointMapping(.list)
            #expect(endpoint == MoyaProvider<Shop>.defaultEndpointMapping(for: .list))
            #expect(endpoint.adding(newHttpHeaderFields: ["A": "1"]).httpHeaderFields == ["A": "1", "Shop": "1"])
            #expect(endpoint.adding(httpHeaderFields: ["A": "2"]).httpHeaderFields == ["A": "2", "Shop": "1"])
        }
    }

    @Test("an endpoint's parameters and their encoding become its task")
    func parameters() throws { try check(Parameters()) }

    @Test("the earlier names of adding(newHTTPHeaderFields:) add headers")
    func headers() throws { try check(Headers()) }
}
