import Foundation
import Moya
import Testing

/// The tasks and encodings that seed 000 lists in its text without a code block, as an application would write them.
@Suite("The tasks and encodings that seed 000 lists send the expected requests")
struct ListedTasksTests {
    struct User: Encodable {
        let name: String
    }

    /// The seed's "XMLEncoder", an encoding of an application.
    struct XMLEncoder: ParameterEncoding {
        func encode(_ urlRequest: URLRequestConvertible, with parameters: [String: any Sendable]?) throws -> URLRequest
        {
            var request = try urlRequest.asURLRequest()
            request.httpBody = "<a>1</a>".data(using: .utf8)
            return request
        }
    }

    let parameters: [String: Any] = ["a": 1]
    let file = URL(fileURLWithPath: "/tmp/file.txt")
    let parts = [MultipartFormData(provider: .data("v".data(using: .utf8)!), name: "n")]

    private func request(_ task: Task, _ method: Moya.Method = .post) throws -> URLRequest {
        try Endpoint(
            url: "https://api.example.com/v1",
            sampleResponseClosure: { .networkResponse(200, Data()) },
            method: method,
            task: task,
            httpHeaderFields: nil
        ).urlRequest()
    }

    private func body(_ task: Task) throws -> String? {
        try request(task).httpBody.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test("request tasks send no body, data, a value or parameters, and composite tasks also send a query")
    func requests() throws {
        #expect(try body(.requestPlain) == nil)
        #expect(try body(.requestData("x".data(using: .utf8)!)) == "x")
        #expect(try body(.requestJSONEncodable(User(name: "Ash"))) == #"{"name":"Ash"}"#)
        #expect(try body(.requestParameters(parameters: parameters, encoding: URLEncoding.default)) == "a=1")
        let data = Task.requestCompositeData(bodyData: "x".data(using: .utf8)!, urlParameters: parameters)
        #expect(try body(data) == "x")
        #expect(try request(data).url?.query == "a=1")
        let both = Task.requestCompositeParameters(
            bodyParameters: parameters,
            bodyEncoding: JSONEncoding.default,
            urlParameters: parameters
        )
        #expect(try body(both) == #"{"a":1}"#)
        #expect(try request(both).url?.query == "a=1")
    }

    @Test("the parameters of a task are encoded into the URL, as JSON, as a property list, or by a custom encoding")
    func encodings() throws {
        func encoded(_ encoding: ParameterEncoding) throws -> String? {
            try body(.requestParameters(parameters: parameters, encoding: encoding))
        }
        #expect(try encoded(URLEncoding.httpBody) == "a=1")
        #expect(try encoded(JSONEncoding.default) == #"{"a":1}"#)
        #expect(try encoded(PropertyListEncoding.default)?.contains("<key>a</key>") == true)
        #expect(try encoded(XMLEncoder()) == "<a>1</a>")
    }

    @Test("upload tasks set no body, and a composite upload task sets a query")
    func uploads() throws {
        for task in [Task.uploadFile(file), .uploadMultipart(parts)] {
            #expect(try body(task) == nil)
        }
        let composite = Task.uploadCompositeMultipart(parts, urlParameters: parameters)
        #expect(try request(composite).url?.query == "a=1")
    }

    @Test("download tasks set no body, and a download task with parameters sets a query")
    func downloads() throws {
        let file = self.file
        let destination: DownloadDestination = { _, _ in (file, [.removePreviousFile, .createIntermediateDirectories]) }
        #expect(try request(.downloadDestination(destination), .get).httpBody == nil)
        let task = Task.downloadParameters(
            parameters: parameters,
            encoding: URLEncoding.default,
            destination: destination
        )
        #expect(try request(task, .get).url?.query == "a=1")
    }

    @Test("progress is reported to a closure that the provider retains")
    func progress() {
        var seen: [Double] = []
        StubbedProvider<MyTarget>().request(
            .list,
            progress: { progress in seen.append(progress.progress) },
            completion: { _ in }
        )
        #expect(seen == [1])
    }
}
