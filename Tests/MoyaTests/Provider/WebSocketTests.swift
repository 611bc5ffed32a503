#if NIO && !canImport(Darwin)
import Foundation
import Moya
import TestServers
import TestSupport
import Testing

@Suite("A provider opens WebSockets", .timeLimit(.minutes(5)))
struct WebSocketTests {
    private struct Ticker: TargetType {
        var baseURL: URL
        var path = "/ticker"
        var method = Moya.Method.get
        var task = HTTPTask.requestParameters(parameters: ["symbol": "a"], encoding: URLEncoding.default)
        var headers: [String: String]? = ["X-Client": "test"]
        var sampleData = Data("sample".utf8)
    }

    /// Records the calls of a plugin.
    private final class RecordingPlugin: PluginType {
        let calls = Recorder<String>()

        func prepare(_ request: URLRequest, target: any TargetType) -> URLRequest {
            var request = request
            request.setValue("yes", forHTTPHeaderField: "X-Prepared")
            return request
        }

        func willSend(_ request: any RequestType, target: any TargetType) {
            calls.add("willSend \(request.request?.url?.scheme ?? "")")
        }

        func didReceive(_ result: Result<Response, MoyaError>, target: any TargetType) {
            switch result {
            case .success(let response): calls.add("didReceive \(response.statusCode)")
            case .failure(let error): calls.add("failure \(error.response?.statusCode ?? 0)")
            }
        }
    }

    private static func withServer(
        answer: @escaping @Sendable (RequestHead) -> WebSocketServer.Answer = { _ in .open() },
        serve: @escaping @Sendable (WebSocketServer.Peer) async throws -> Void,
        test: (WebSocketServer, MoyaProvider<Ticker>, RecordingPlugin) async throws -> Void
    ) async throws {
        let server = try await WebSocketServer(answer: answer, serve)
        let plugin = RecordingPlugin()
        try await test(server, MoyaProvider<Ticker>(plugins: [plugin]), plugin)
        await server.shutDown()
    }

    @Test("a target with a ws base URL opens a WebSocket, and plugins see the request and the response")
    func open() async throws {
        try await Self.withServer(serve: { peer in
            let head = peer.request
            try await peer.send(.text("\(head.target) \(head["X-Client"] ?? "") \(head["X-Prepared"] ?? "")"))
            try await peer.echo()
        }) { server, provider, plugin in
            let socket = try await provider.webSocket(Ticker(baseURL: server.url("")))
            #expect(try await socket.receive() == .text("/ticker?symbol=a test yes"))
            try await socket.send(.text("a"))
            #expect(try await socket.receive() == .text("a"))
            try await socket.close()
            #expect(plugin.calls.values == ["willSend http", "didReceive 101"])
        }
    }

    @Test("a refused upgrade is an error with the response, whatever the target's validation")
    func refused() async throws {
        try await Self.withServer(answer: { _ in .refuse(200, body: "no") }, serve: { _ in }) {
            server,
            provider,
            plugin in
            let error = await #expect(throws: MoyaError.self) {
                try await provider.webSocket(Ticker(baseURL: server.url("")))
            }
            guard case .underlying(WebSocketError.upgradeRefused(status: 200), let response?) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(response.data == Data("no".utf8))
            #expect(plugin.calls.values == ["willSend http", "failure 200"])
        }
    }

    @Test("a target with a body can't open a WebSocket")
    func misuse() async throws {
        try await Self.withServer(serve: { _ in }) { server, provider, _ in
            var uploading = Ticker(baseURL: server.url(""))
            uploading.task = .uploadFile(URL(fileURLWithPath: "/dev/null"))
            let uploadTarget = uploading
            let upload = await #expect(throws: MoyaError.self) { try await provider.webSocket(uploadTarget) }
            #expect(upload.map { "\($0)" }?.contains("WebSocket") == true)
            var posting = Ticker(baseURL: server.url(""))
            (posting.task, posting.method) = (.requestPlain, .post)
            let postTarget = posting
            let post = await #expect(throws: MoyaError.self) { try await provider.webSocket(postTarget) }
            guard case .underlying(let error, _) = post else {
                Issue.record("\(String(describing: post))")
                return
            }
            #expect((error as? RequestValidationError)?.reason == .invalidUpgrade)
        }
    }

    @Test("a stub has no connection")
    func stub() async throws {
        let provider = MoyaProvider<Ticker>(stubClosure: MoyaProvider.immediatelyStub)
        let url = try #require(URL(string: "wss://example.com"))
        let error = await #expect(throws: MoyaError.self) { try await provider.webSocket(Ticker(baseURL: url)) }
        #expect(error?.response?.data == Data("sample".utf8))
    }

    @Test("cancelling the task cancels the request")
    func cancel() async throws {
        let begun = Promise<Void>()
        let server = try await RawServer { connection in
            _ = try await connection.head()
            begun.fulfill(())
            await connection.waitUntilClosed()
        }
        let url = try #require(URL(string: "ws://127.0.0.1:\(server.port)"))
        let task = Task { try await MoyaProvider<Ticker>().webSocket(Ticker(baseURL: url)) }
        await begun.wait()
        task.cancel()
        let error = await #expect(throws: MoyaError.self) { try await task.value }
        #expect(error?.isCancelled == true)
        await server.shutDown()
    }
}
#endif
