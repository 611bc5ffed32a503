import Alamofire
import Foundation
import Moya
import TestServers
import Testing

@Suite("MoyaAlamofire has the names of Alamofire")
struct NamesTests {
    @Test("the types of MoyaAlamofire are Moya's types")
    func types() {
        let session: Alamofire.Session = Moya.Session.default
        let encodings: [Alamofire.ParameterEncoding] = [Alamofire.URLEncoding.default, Alamofire.JSONEncoding.default]
        let method: Alamofire.HTTPMethod = Moya.Method.get
        let headers: Alamofire.HTTPHeaders = [Alamofire.HTTPHeader(name: "A", value: "1")]
        let form: Alamofire.MultipartFormData = RequestMultipartFormData()
        let part: Moya.MultipartFormData? = nil
        #expect(session === AF && encodings.count == 2 && method == .get && headers.count == 1 && part == nil)
        #expect(!form.boundary.isEmpty)
    }

    @Test("the type Parameters accepts values of any type")
    func parameters() throws {
        func anything() -> Any { 1 }
        let parameters: Parameters = ["a": anything()]
        let request = try URLEncoding.default.encode(URLRequest(url: "https://shop.test".asURL()), with: parameters)
        #expect(request.url?.absoluteString == "https://shop.test?a=1")
    }

    @Test(
        "texts, URLs and URL components convert to URLs",
        arguments: ["https://shop.test/a?b=1", "/a", "https://é.test"]
    )
    func urls(_ text: String) throws {
        let convertibles: [URLConvertible] = [text] + [URL(string: text)].compactMap { $0 }
        for convertible in convertibles where text.utf8.allSatisfy({ $0 < 0x80 }) {
            #expect(try convertible.asURL().absoluteString == text)
        }
        #expect(try URLComponents(string: text)?.asURL() == URLComponents(string: text)?.url)
    }

    @Test("the conversion of an invalid text to a URL throws an error", arguments: ["a b", "http://[", ""])
    func notURLs(_ text: String) {
        #expect(throws: AlamofireError.self) { try text.asURL() }
    }

    @Test("a request modifier runs before the parameters are written, and its error fails the request")
    func requestModifier() async throws {
        struct Refusal: Error {}
        let server = try await ReactingServer()
        let request = AF.request(server.url("/items"), parameters: ["a": 1]) { $0.method = .post }
        #expect(try await request.value.statusCode == 200)
        await #expect(throws: Refusal.self) {
            try await AF.request(server.url("/items"), requestModifier: { _ in throw Refusal() }).value
        }
        #expect(server.requests.map { "\($0.head.method) \($0.head.target)" } == ["POST /items"])
        #expect(server.requests.first?.body == Data("a=1".utf8))
        await server.shutDown()
    }

    @Test("a form with parts that a function adds is sent to a URL")
    func form() async throws {
        let server = try await ReactingServer()
        let request: UploadRequest = AF.upload(
            multipartFormData: { $0.append(Data("Ash".utf8), withName: "name") },
            to: server.url("/forms").absoluteString,
            headers: ["X-A": "b"]
        )
        #expect(try await request.value.statusCode == 200)
        let received = try #require(server.requests.first)
        #expect("\(received.head.method) \(received.head.target)" == "POST /forms" && received.head["X-A"] == "b")
        #expect(received.head["Content-Type"]?.hasPrefix("multipart/form-data; boundary=") == true)
        #expect(String(decoding: received.body, as: UTF8.self).contains("name=\"name\"\r\n\r\nAsh\r\n"))
        await server.shutDown()
    }

    @Test("AF.request sends the method, the parameters and the headers")
    func request() async throws {
        let server = try await ReactingServer()
        let request: DataRequest = AF.request(
            server.url("/items").absoluteString,
            method: .post,
            parameters: ["a": 1],
            encoding: JSONEncoding.default,
            headers: ["X-A": "b"]
        )
        #expect(try await request.value.data == Data("ok".utf8))
        #expect(try await AF.request(server.url("/list"), parameters: ["q": "x y"]).value.statusCode == 200)
        let received = server.requests
        #expect(received.map { "\($0.head.method) \($0.head.target)" } == ["POST /items", "GET /list?q=x%20y"])
        #expect(received.first?.head["X-A"] == "b" && received.first?.body == Data(#"{"a":1}"#.utf8))
        await #expect(throws: AlamofireError.self) { try await AF.request("a b").value }
        await server.shutDown()
    }

    @Test("a request has no task before it is sent, and afterwards a task with the response")
    func task() async throws {
        let server = try await StubServer(["/": StubServer.Response(status: "404 Not Found", headers: ["X-A: b"])])
        let request = AF.request(server.url("/"))
        #expect(request.task == nil)
        _ = try await request.value
        let response = try #require(request.task?.response as? HTTPURLResponse)
        #expect(response.statusCode == 404 && response.headers["X-A"] == "b")
        #expect(request.task?.originalRequest?.url == server.url("/"))
        #expect(request.task?.currentRequest?.url == server.url("/"))
        await server.shutDown()
    }
}
