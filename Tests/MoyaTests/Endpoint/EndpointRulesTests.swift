import Foundation
import Moya
import TestSupport
import Testing

@Suite("An endpoint copies its target, and its task determines the request")
struct EndpointRulesTests {
    private struct LateTarget: TargetType {
        let asked: Recorder<Void>
        var baseURL: URL { URL(string: "http://h") ?? URL(fileURLWithPath: "/") }
        var path: String { "" }
        var method: Moya.Method { .get }
        var task: HTTPTask { .requestPlain }
        var headers: [String: String]? { nil }
        var sampleData: Data {
            asked.add(())
            return Data("\(asked.values.count)".utf8)
        }
    }

    /// An endpoint that does not override `adding` and `replacing`.
    private class Signed: Endpoint, @unchecked Sendable {
        required init(_ task: HTTPTask, _ headers: [String: String]?) {
            super.init(
                url: "http://h/",
                sampleResponseClosure: { .networkResponse(200, Data()) },
                method: .put,
                task: task,
                httpHeaderFields: headers
            )
        }
    }

    /// An endpoint whose changed copies have its type.
    private final class Faithful: Signed, @unchecked Sendable {
        override func adding(newHTTPHeaderFields: [String: String]) -> Endpoint {
            Faithful(task, super.adding(newHTTPHeaderFields: newHTTPHeaderFields).httpHeaderFields)
        }

        override func replacing(task: HTTPTask) -> Endpoint { Faithful(task, httpHeaderFields) }
    }

    /// A body encoding that records the URL.
    private struct Noting: ParameterEncoding {
        let urls: Recorder<String?>

        func encode(_ urlRequest: any URLRequestConvertible, with parameters: [String: any Sendable]?) throws
            -> URLRequest
        {
            var request = try urlRequest.asURLRequest()
            urls.add(request.url?.absoluteString)
            request.httpBody = Data("body".utf8)
            return request
        }
    }

    private static let form = [MultipartFormData(provider: .data(Data("v".utf8)), name: "n")]

    @Test("fact 2: sample data is read for each response of a stub, and not before")
    func lateSample() {
        let asked = Recorder<Void>()
        let endpoint = MoyaProvider<LateTarget>.defaultEndpointMapping(for: LateTarget(asked: asked))
        #expect(asked.values.isEmpty)
        for count in 1...2 {
            guard case .networkResponse(200, let data) = endpoint.sampleResponseClosure() else {
                Issue.record("no response")
                return
            }
            #expect(data == Data("\(count)".utf8))
            #expect(asked.values.count == count)
        }
    }

    @Test("fact 6: adding headers and replacing the task return a plain Endpoint unless a subclass overrides them")
    func subclasses() {
        let headers = ["A": "b"]
        for changed in [
            Signed(.requestPlain, headers).adding(newHTTPHeaderFields: ["C": "d"]),
            Signed(.requestPlain, headers).replacing(task: .requestPlain),
            Signed(.requestPlain, headers).adding(newHTTPHeaderFields: [:]),
        ] {
            #expect(type(of: changed) == Endpoint.self)
        }
        let added = Faithful(.requestPlain, headers).adding(newHTTPHeaderFields: ["C": "d"])
        #expect(type(of: added) == Faithful.self)
        #expect(added.httpHeaderFields == ["A": "b", "C": "d"])
        #expect(type(of: added.replacing(task: .requestData(Data()))) == Faithful.self)
    }

    @Test("fact 13: streamed tasks and downloads add neither a body nor a header to the request")
    func streamedTasks() throws {
        let file = URL(fileURLWithPath: "/file")
        for task in [
            HTTPTask.requestPlain, .uploadFile(file), .uploadMultipart(Self.form),
            .uploadMultipart(Self.form, boundary: "B"), .downloadDestination { url, _ in (url, []) },
        ] {
            let request = try Endpoint.sending(task, url: "http://h/p?k=1", headers: ["A": "b"]).urlRequest()
            #expect(request.httpBody == nil, "\(task)")
            #expect(request.httpBodyStream == nil)
            #expect(request.allHTTPHeaderFields == ["A": "b"])
            #expect(request.url?.absoluteString == "http://h/p?k=1")
        }
    }

    @Test("fact 18: the body of a composite task is encoded before the query")
    func order() throws {
        let urls = Recorder<String?>()
        let request = try Endpoint.sending(
            .requestCompositeParameters(
                bodyParameters: ["x": 1],
                bodyEncoding: Noting(urls: urls),
                urlParameters: ["a": 1]
            ),
            url: "http://h/p?k=1"
        ).urlRequest()
        #expect(urls.values == ["http://h/p?k=1"])
        #expect(request.url?.absoluteString == "http://h/p?k=1&a=1")
        #expect(request.httpBody == Data("body".utf8))
    }

    @Test("facts 17, 19: the query beside a body or a form has the default styles, even if the body has other styles")
    func styles() throws {
        let parameters: [String: any Sendable] = ["a": [1, 2], "b": true]
        let bodyEncoding = URLEncoding(destination: .httpBody, arrayEncoding: .noBrackets, boolEncoding: .literal)
        for task in [
            HTTPTask.requestCompositeData(bodyData: Data(), urlParameters: parameters),
            .requestCompositeParameters(
                bodyParameters: parameters,
                bodyEncoding: bodyEncoding,
                urlParameters: parameters
            ),
            .uploadCompositeMultipart(Self.form, urlParameters: parameters),
            .uploadMultipart(Self.form, boundary: "B").adding(query: parameters),
        ] {
            let request = try Endpoint.sending(task).urlRequest()
            #expect(request.url?.absoluteString == "http://h/p?a%5B%5D=1&a%5B%5D=2&b=1", "\(task)")
        }
    }

    @Test("fact 21: a provider passes mapping errors on unchanged", arguments: EntryPoint.allCases)
    func mappingErrors(entryPoint: EntryPoint) async {
        let provider = MoyaProvider<TaskTarget>(endpointClosure: { target in
            .sending(target.task, url: target.path.isEmpty ? "http://h/" : target.path)
        })
        let unmapped = await entryPoint.request(TaskTarget(path: "no url", task: .requestPlain), from: provider)
        guard case .failure(.requestMapping("no url")) = unmapped else {
            Issue.record("\(unmapped)")
            return
        }
        let task = HTTPTask.requestParameters(parameters: ["a": Date()], encoding: JSONEncoding.default)
        let unencoded = await entryPoint.request(TaskTarget(task: task), from: provider)
        guard case .failure(.parameterEncoding(JSONEncoding.Error.invalidJSONObject)) = unencoded else {
            Issue.record("\(unencoded)")
            return
        }
    }
}
