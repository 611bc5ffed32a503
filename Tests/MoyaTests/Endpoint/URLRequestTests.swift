import Foundation
import Moya
import Testing

@Suite("An endpoint is converted to a URLRequest")
struct URLRequestTests {
    private struct Item: Codable, Equatable {
        var name: String
        var fullName = "x"
    }

    private struct Unencodable: Encodable, Sendable {
        func encode(to encoder: any Encoder) throws {
            throw EncodingError.invalidValue(self, .init(codingPath: [], debugDescription: "never"))
        }
    }

    private func request(
        _ task: HTTPTask,
        method: Moya.Method = .post,
        headers: [String: String]? = nil,
        url: String = "http://h/p?k=1"
    ) throws -> URLRequest {
        try Endpoint(
            url: url,
            sampleResponseClosure: { .networkResponse(200, Data()) },
            method: method,
            task: task,
            httpHeaderFields: headers
        ).urlRequest()
    }

    @Test(
        "facts 10, 11: an invalid URL of an endpoint fails with the text of the URL",
        arguments: ["", "some invalid URL", "http://h/ä b"]
    )
    func invalidURL(text: String) {
        let error = #expect(throws: MoyaError.self) { try request(.requestPlain, url: text) }
        guard case .requestMapping(text) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("fact 12: the method and the headers of a URLRequest come from the endpoint")
    func methodAndHeaders() throws {
        let request = try request(.requestPlain, method: .patch, headers: ["A": "b"])
        #expect(request.httpMethod == "PATCH")
        #expect(request.allHTTPHeaderFields == ["A": "b"])
    }

    @Test("fact 13: a plain task has no body and no additional header")
    func plain() throws {
        let request = try request(.requestPlain)
        #expect(request.httpBody == nil)
        #expect((request.allHTTPHeaderFields ?? [:]).isEmpty)
        #expect(request.url?.absoluteString == "http://h/p?k=1")
    }

    @Test("fact 14: the data of a task becomes a body without a content type")
    func data() throws {
        let request = try request(.requestData(Data("x".utf8)))
        #expect(request.httpBody == Data("x".utf8))
        #expect(request.value(forHTTPHeaderField: "Content-Type") == nil)
    }

    @Test("fact 15: the encodable value of a task becomes JSON, with a content type unless one exists")
    func encodable() throws {
        let plain = try request(.requestJSONEncodable(Item(name: "a")))
        #expect(try JSONDecoder().decode(Item.self, from: plain.httpBody ?? Data()) == Item(name: "a"))
        #expect(plain.value(forHTTPHeaderField: "Content-Type") == "application/json")
        let own = try request(.requestJSONEncodable(Item(name: "a")), headers: ["content-type": "application/x"])
        #expect(own.value(forHTTPHeaderField: "Content-Type") == "application/x")
    }

    @Test("fact 15: a custom encoder of a task encodes the value")
    func customEncodable() throws {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.outputFormatting = .sortedKeys
        let request = try request(.requestCustomJSONEncodable(Item(name: "a"), encoder: encoder))
        #expect(request.httpBody == Data(#"{"full_name":"x","name":"a"}"#.utf8))
        #expect(request.value(forHTTPHeaderField: "Content-Type") == "application/json")
    }

    @Test("fact 16: the encoding of a task decides where parameters are put")
    func parameters() throws {
        let query = try request(
            .requestParameters(parameters: ["b": 2, "a": "x y"], encoding: URLEncoding.queryString)
        )
        #expect(query.url?.absoluteString == "http://h/p?k=1&a=x%20y&b=2")
        #expect(query.httpBody == nil)
        let form = try request(.requestParameters(parameters: ["b": 2, "a": "x y"], encoding: URLEncoding.default))
        #expect(form.httpBody == Data("a=x%20y&b=2".utf8))
        let json = try request(.requestParameters(parameters: ["b": 2], encoding: JSONEncoding.default))
        #expect(json.httpBody == Data(#"{"b":2}"#.utf8))
    }

    @Test(
        "facts 17, 19: the data of a composite task becomes the body, and its parameters become the query in the default style"
    )
    func compositeData() throws {
        let request = try request(
            .requestCompositeData(bodyData: Data("x".utf8), urlParameters: ["a": [1, 2], "b": true])
        )
        #expect(request.httpBody == Data("x".utf8))
        #expect(request.url?.absoluteString == "http://h/p?k=1&a%5B%5D=1&a%5B%5D=2&b=1")
    }

    @Test("fact 18: the parameters of a composite task become the body and the query")
    func compositeParameters() throws {
        let json = try request(
            .requestCompositeParameters(
                bodyParameters: ["x": 1],
                bodyEncoding: JSONEncoding.default,
                urlParameters: ["a": 1]
            )
        )
        #expect(json.httpBody == Data(#"{"x":1}"#.utf8))
        #expect(json.url?.absoluteString == "http://h/p?k=1&a=1")
        let form = try request(
            .requestCompositeParameters(
                bodyParameters: ["x": 1],
                bodyEncoding: URLEncoding.httpBody,
                urlParameters: ["a": 1]
            ),
            method: .get
        )
        #expect(form.httpBody == Data("x=1".utf8))
        #expect(form.value(forHTTPHeaderField: "Content-Type") == "application/x-www-form-urlencoded; charset=utf-8")
    }

    @Test(
        "fact 18: a URL encoding that may write into the URL is refused for a body",
        arguments: [URLEncoding.default, .queryString]
    )
    func wrongBodyEncoding(encoding: URLEncoding) {
        let error = #expect(throws: MoyaError.self) {
            try request(
                .requestCompositeParameters(bodyParameters: ["x": 1], bodyEncoding: encoding, urlParameters: [:])
            )
        }
        guard case .parameterEncoding(is TargetMisuse) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test(
        "fact 18: a provider's error for a composite task names the target and the remedy",
        arguments: EntryPoint.allCases
    )
    func misuseNamed(entryPoint: EntryPoint) async {
        enum API: TargetType {
            case create(secret: String)
            var baseURL: URL { URL(fileURLWithPath: "/") }
            var path: String { "" }
            var method: Moya.Method { .post }
            var task: HTTPTask {
                .requestCompositeParameters(bodyParameters: [:], bodyEncoding: URLEncoding.default, urlParameters: [:])
            }
            var headers: [String: String]? { nil }
        }
        let provider = MoyaProvider<API>(stubClosure: MoyaProvider.immediatelyStub)
        let result = await entryPoint.request(.create(secret: "hidden"), from: provider)
        guard case .failure(let error) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(
            error.localizedDescription == "Failed to encode parameters for URLRequest. API.create: `task`: the"
                + " bodyEncoding of .requestCompositeParameters is a URLEncoding that may write into the URL. Instead, use"
                + " URLEncoding.httpBody, or another encoding that writes into the body."
        )
    }

    @Test("fact 20: the error of a failed encoding of a task has its cause")
    func failures() throws {
        let encodable = #expect(throws: MoyaError.self) { try request(.requestJSONEncodable(Unencodable())) }
        guard case .encodableMapping(is EncodingError) = encodable else {
            Issue.record("\(String(describing: encodable))")
            return
        }
        let parameters = #expect(throws: MoyaError.self) {
            try request(.requestParameters(parameters: ["a": Date()], encoding: JSONEncoding.default))
        }
        guard case .parameterEncoding(JSONEncoding.Error.invalidJSONObject) = parameters else {
            Issue.record("\(String(describing: parameters))")
            return
        }
    }

    @Test("fact 21: a provider's encoding failure is .encodableMapping", arguments: EntryPoint.allCases)
    func encodeFailure(entryPoint: EntryPoint) async {
        struct Target: TargetType {
            var baseURL: URL { URL(fileURLWithPath: "/") }
            var path: String { "" }
            var method: Moya.Method { .post }
            var task: HTTPTask { .requestJSONEncodable(Unencodable()) }
            var headers: [String: String]? { nil }
        }
        let result = await entryPoint.request(Target(), from: MoyaProvider<Target>())
        guard case .failure(.encodableMapping(is EncodingError)) = result else {
            Issue.record("\(result)")
            return
        }
    }
}
