import Foundation
import Moya
import Testing

@Suite("Session has the interface of the contract's appendix")
struct SessionTests {
    @Test("a session is created with default arguments, or as in Alamofire's documentation")
    func inits() {
        let configuration = URLSessionConfiguration.default
        configuration.headers = .default
        let session = Session(configuration: configuration, startRequestsImmediately: false)
        let same: URLSessionConfiguration = session.sessionConfiguration
        #expect(same.headers["User-Agent"] != nil && session.startRequestsImmediately == false)
        #expect(Session().startRequestsImmediately && Session.default === Session.default)
        #expect(URLSessionConfiguration.af.default.headers == HTTPHeaders.default)
        #expect(URLSessionConfiguration.af.ephemeral.headers == HTTPHeaders.default)
    }

    @Test("the arguments of Session's initializer have Alamofire's order")
    func options() {
        let manager = ServerTrustManager(
            allHostsMustBeEvaluated: false,
            evaluators: ["shop.test": DefaultTrustEvaluator()]
        )
        let session = Session(
            configuration: .af.default,
            startRequestsImmediately: false,
            interceptor: RequestInterceptorTests.Nothing(),
            serverTrustManager: manager,
            redirectHandler: Redirector(behavior: .doNotFollow),
            eventMonitors: []
        )
        let interceptor: RequestInterceptor? = session.interceptor
        let redirects: RedirectHandler? = session.redirectHandler
        let trust: ServerTrustManager? = session.serverTrustManager
        #expect(interceptor is RequestInterceptorTests.Nothing && redirects is Redirector)
        #expect(trust?.allHostsMustBeEvaluated == false && trust?.evaluators.count == 1)
        #expect(MoyaProvider<Shop>(session: session).session === session)
    }

    /// Responds with the headers and the body of the request, without a network.
    struct Mirror: HTTPTransport {
        func send(_ request: TransportRequest) async throws -> TransportResponse {
            var body = Data()
            if let reader = try request.body?.open() {
                while let chunk = try await reader.next() { body += chunk }
            }
            return TransportResponse(status: 200, headers: request.headers, body: .complete(body))
        }

        func shutdown() async {}
    }

    @Test("data, upload, form and download requests accept an interceptor, and can be started later")
    func requests() async throws {
        let session = Session(transport: Mirror(), startRequestsImmediately: false)
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("up.txt")
        try Data("file".utf8).write(to: file)
        var post = Shop.request
        post.httpMethod = "POST"
        let signer: RequestInterceptor = RequestInterceptorTests.Signer()
        let form = RequestMultipartFormData(boundary: "b")
        form.append(Data("1".utf8), withName: "a")

        let plain: Request = session.request(Shop.request, interceptor: signer, shouldAutomaticallyResume: true)
        let upload: Request = session.upload(file, with: post, interceptor: signer, shouldAutomaticallyResume: true)
        let multipart: Request = session.upload(
            multipartFormData: form,
            with: post,
            interceptor: signer,
            shouldAutomaticallyResume: true
        )
        let download: Request = session.download(
            Shop.request,
            interceptor: signer,
            shouldAutomaticallyResume: true,
            to: { _, _ in (folder.appendingPathComponent("down.txt"), []) }
        )
        var responses: [SessionResponse] = []
        for request in [plain, upload, multipart, download] { responses.append(try await request.value) }
        #expect(responses.map { $0.makeHTTPURLResponse()?.headers["Signature"] } == ["s", "s", "s", "s"])
        #expect(responses[1].data == Data("file".utf8))
        #expect(try responses[2].data == form.encode())
        #expect(responses[2].makeHTTPURLResponse()?.headers["Content-Type"] == "multipart/form-data; boundary=b")
        #expect(FileManager.default.fileExists(atPath: folder.appendingPathComponent("down.txt").path))

        let waiting = session.request(Shop.request)
        waiting.resume()
        #expect(try await waiting.value.statusCode == 200)
        let dropped = session.request(Shop.request, shouldAutomaticallyResume: false)
        dropped.cancel()
        await #expect(throws: URLError.self) { try await dropped.value }
    }

    @Test("a request has the properties that plugins and retriers use")
    func request() {
        let request = Session.default.request(Shop.request)
        let sent: URLRequest? = request.request
        #expect(sent == Shop.request && request.retryCount == 0 && !request.isCancelled && request.response == nil)
        let id: UUID = request.id
        #expect(id == request.id)
        let same: Request = request.cURLDescription { _ in }
        same.cancel()
        #expect(request.isCancelled)
    }
}
