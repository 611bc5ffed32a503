import Foundation
import Moya
import MoyaHTTP
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("HTTPTask has twelve cases, and functions that create other tasks")
struct HTTPTaskTests {
    private struct Search: Encodable {
        var text = "a b"
        var page: Int?
    }

    /// Returns the case's name; the switch has no default, as in applications.
    private func name(_ task: HTTPTask) -> String {
        switch task {
        case .requestPlain: "requestPlain"
        case .requestData: "requestData"
        case .requestJSONEncodable: "requestJSONEncodable"
        case .requestCustomJSONEncodable: "requestCustomJSONEncodable"
        case .requestParameters: "requestParameters"
        case .requestCompositeData: "requestCompositeData"
        case .requestCompositeParameters: "requestCompositeParameters"
        case .uploadFile: "uploadFile"
        case .uploadMultipart: "uploadMultipart"
        case .uploadCompositeMultipart: "uploadCompositeMultipart"
        case .downloadDestination: "downloadDestination"
        case .downloadParameters: "downloadParameters"
        }
    }

    @Test("fact 149: HTTPTask has twelve cases, and each newer task is one of them")
    func cases() {
        let file = URL(fileURLWithPath: "/file")
        let destination: DownloadDestination = { url, _ in (url, []) }
        let encoding = JSONEncoding.default
        let all: [(HTTPTask, String)] = [
            (.requestPlain, "requestPlain"),
            (.requestData(Data()), "requestData"),
            (.requestJSONEncodable(1), "requestJSONEncodable"),
            (.requestCustomJSONEncodable(1, encoder: JSONEncoder()), "requestCustomJSONEncodable"),
            (.requestParameters(parameters: [:], encoding: encoding), "requestParameters"),
            (.requestCompositeData(bodyData: Data(), urlParameters: [:]), "requestCompositeData"),
            (
                .requestCompositeParameters(bodyParameters: [:], bodyEncoding: encoding, urlParameters: [:]),
                "requestCompositeParameters"
            ),
            (.uploadFile(file), "uploadFile"),
            (.uploadMultipart([]), "uploadMultipart"),
            (.uploadCompositeMultipart([], urlParameters: [:]), "uploadCompositeMultipart"),
            (.downloadDestination(destination), "downloadDestination"),
            (.downloadParameters(parameters: [:], encoding: encoding, destination: destination), "downloadParameters"),
        ]
        #expect(Set(all.map(\.1)).count == 12)
        for (task, expected) in all { #expect(name(task) == expected) }
        #expect(name(.uploadBody(.data(Data()))) == "requestParameters")
        #expect(name(.gzipped(.requestPlain)) == "requestParameters")
        #expect(name(.requestFormEncodable(["a": 1])) == "requestParameters")
        #expect(name(.uploadMultipart([], boundary: "B")) == "requestParameters")
        #expect(name(.download(to: file)) == "downloadDestination")
    }

    @Test("requestFormEncodable writes a value with its encoder into the query or the body, by destination and method")
    func formEncodable() throws {
        let post = try Endpoint.sending(.requestFormEncodable(Search())).urlRequest()
        #expect(post.httpBody == Data("text=a%20b".utf8))
        #expect(
            post.value(forHTTPHeaderField: "Content-Type") == "application/x-www-form-urlencoded; charset=utf-8"
        )
        let get = try Endpoint.sending(.requestFormEncodable(Search(page: 2)), method: .get).urlRequest()
        #expect(get.url?.absoluteString == "http://h/p?page=2&text=a%20b")
        #expect(get.httpBody == nil)
        let query = HTTPTask.requestFormEncodable(
            Search(),
            encoder: URLEncodedFormEncoder(nilEncoding: .null, spaceEncoding: .plus),
            destination: .queryString
        )
        #expect(try Endpoint.sending(query).urlRequest().url?.absoluteString == "http://h/p?page=null&text=a+b")
    }

    @Test("a form value without names is refused with the encoder's error")
    func namelessForm() {
        let error = #expect(throws: MoyaError.self) {
            try Endpoint.sending(.requestFormEncodable([1, 2])).urlRequest()
        }
        guard case .parameterEncoding(let cause as URLEncodedFormEncoder.Error) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(cause == .topLevelHasNoNames("Array<Int>"))
    }

    @Test("uploadBody adds only its content type to the request, unless the request has one")
    func uploadBody() throws {
        let body = HTTPBody.data(Data("x".utf8))
        let plain = try Endpoint.sending(.uploadBody(body)).urlRequest()
        #expect(plain.httpBody == nil)
        #expect(plain.value(forHTTPHeaderField: "Content-Type") == nil)
        let typed = try Endpoint.sending(.uploadBody(body, contentType: "a/b")).urlRequest()
        #expect(typed.value(forHTTPHeaderField: "Content-Type") == "a/b")
        let own = Endpoint.sending(.uploadBody(body, contentType: "a/b"), headers: ["content-TYPE": "c/d"])
        #expect(try own.urlRequest().value(forHTTPHeaderField: "Content-Type") == "c/d")
    }

    @Test("gzipped adds its coding once after the existing codings, and not without a body")
    func gzipped() throws {
        func coding(_ task: HTTPTask, _ headers: [String: String]? = nil) throws -> String? {
            try Endpoint.sending(task, headers: headers).urlRequest().value(forHTTPHeaderField: "Content-Encoding")
        }
        let data = HTTPTask.requestData(Data("x".utf8))
        #expect(try coding(.gzipped(data)) == "gzip")
        #expect(try coding(.gzipped(.gzipped(.gzipped(data)))) == "gzip")
        #expect(try coding(.gzipped(data), ["CONTENT-encoding": "br"]) == "br, gzip")
        #expect(try coding(.gzipped(.uploadFile(URL(fileURLWithPath: "/f")))) == "gzip")
        #expect(try coding(.gzipped(.uploadBody(.data(Data())))) == "gzip")
        for bodyless in [
            HTTPTask.requestPlain, .download(to: URL(fileURLWithPath: "/f")),
            .requestParameters(parameters: ["a": 1], encoding: URLEncoding.queryString),
        ] {
            #expect(try coding(.gzipped(bodyless)) == nil)
            let plain = try Endpoint.sending(bodyless).urlRequest()
            #expect(try Endpoint.sending(.gzipped(bodyless)).urlRequest() == plain)
        }
    }

    /// Adds parameters like an endpoint closure that adds common parameters to each task with parameters.
    private func withCommonParameters(_ task: HTTPTask) -> HTTPTask {
        guard case .requestParameters(var parameters, let encoding) = task else { return task }
        parameters["token"] = "t"
        return .requestParameters(parameters: parameters, encoding: encoding)
    }

    @Test("parameters that an endpoint closure adds to an extended task are sent in its query or with its parameters")
    func addedParameters() throws {
        let json = HTTPTask.requestParameters(parameters: ["a": 1], encoding: JSONEncoding(options: .sortedKeys))
        let part = MultipartFormData(provider: .data(Data("v".utf8)), name: "n")
        let rows: [(HTTPTask, query: String?, body: String?)] = [
            (.uploadBody(.data(Data("x".utf8))), "token=t", nil),
            (.uploadMultipart([part], boundary: "B"), "token=t", nil),
            (.requestJSONEncodable(["b"]).adding(query: ["q": 1]), "token=t&q=1", #"["b"]"#),
            (json.adding(query: ["q": 1]), "q=1", #"{"a":1,"token":"t"}"#),
            (.gzipped(.uploadFile(URL(fileURLWithPath: "/f"))), "token=t", nil),
            (.requestFormEncodable(Search(), destination: .httpBody), nil, "text=a%20b&token=t"),
        ]
        for (task, query, body) in rows {
            let request = try Endpoint.sending(withCommonParameters(task)).urlRequest()
            #expect(request.url?.query == query, "\(task)")
            #expect(request.httpBody.map { String(decoding: $0, as: UTF8.self) } == body, "\(task)")
            #expect(Endpoint.sending(withCommonParameters(task)) == Endpoint.sending(withCommonParameters(task)))
            #expect(Endpoint.sending(withCommonParameters(task)) != Endpoint.sending(task), "\(task)")
        }
        let compressed = try Endpoint.sending(withCommonParameters(.gzipped(json))).urlRequest()
        let same = HTTPTask.requestParameters(
            parameters: ["a": 1, "token": "t"],
            encoding: JSONEncoding(options: .sortedKeys)
        )
        #expect(compressed.url?.query == nil)
        #expect(try compressed.httpBody == Endpoint.sending(.gzipped(same)).urlRequest().httpBody)
    }

    @Test("download(to:) writes the response to its file with its options")
    func download() throws {
        let file = URL(fileURLWithPath: "/folder/file")
        guard case .downloadDestination(let destination) = HTTPTask.download(to: file, options: .removePreviousFile),
            case .downloadDestination(let plain) = HTTPTask.download(to: file)
        else {
            Issue.record("another case")
            return
        }
        let response = try #require(HTTPURLResponse(url: file, statusCode: 200, httpVersion: nil, headerFields: nil))
        let place = destination(URL(fileURLWithPath: "/temporary"), response)
        #expect(place.destinationURL == file)
        #expect(place.options == .removePreviousFile)
        #expect(plain(file, response).options == [])
    }

    @Test("extended tasks without a URL fail with invalidURL and do not crash")
    func noURL() throws {
        var request = URLRequest(url: URL(fileURLWithPath: "/"))
        request.url = nil
        for task in [HTTPTask.uploadBody(.data(Data()), contentType: "a/b"), .gzipped(.requestPlain)] {
            guard case .requestParameters(let parameters, let encoding) = task else {
                Issue.record("\(task)")
                continue
            }
            #expect(throws: RequestValidationError.invalidURL("")) { try encoding.encode(request, with: parameters) }
        }
    }
}
