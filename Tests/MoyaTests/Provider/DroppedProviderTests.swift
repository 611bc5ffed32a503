import Foundation
import Moya
import MoyaHTTP
import TestServers
import TestSupport
import Testing

@Suite("A released provider or session finishes its requests", .timeLimit(.minutes(5)))
struct DroppedProviderTests {
    typealias Provider = MoyaProvider<TaskTarget>

    /// A body that is larger than the socket buffers.
    private static let body = Pattern().bytes(8 << 20)

    private func withServer(_ test: (TaskTarget) async throws -> Void) async throws {
        let server = try await StubServer(["/long": .init(body: Self.body)])
        try await test(TaskTarget(baseURL: server.url("/long"), method: .get, task: .requestPlain))
        await server.shutDown()
    }

    /// Returns a response whose provider has been released.
    private func open(_ target: TaskTarget) async throws -> StreamingResponse {
        try await Provider().stream(target)
    }

    @Test("a stream continues to its end after its provider is released")
    func stream() async throws {
        try await withServer { target in
            let response = try await open(target)
            var length = 0
            for try await chunk in response.body { length += chunk.count }
            #expect(length == Self.body.count)
        }
    }

    @Test("a session's stream continues to its end after the session is released")
    func sessionStream() async throws {
        try await withServer { target in
            let body = try await Session().stream(for: URLRequest(url: target.baseURL)).body
            var length = 0
            for try await chunk in body { length += chunk.count }
            #expect(length == Self.body.count)
        }
    }

    @Test("a request calls its callback after its provider is released")
    func callback() async throws {
        try await withServer { target in
            let result = Promise<Result<Response, MoyaError>>()
            _ = Provider().request(target, callbackQueue: .global()) { result.fulfill($0) }
            #expect(await result.wait().response?.data.count == Self.body.count)
        }
    }

    @Test("progress is reported to the end after the provider is released")
    func progress() async throws {
        try await withServer { target in
            let sequence = Provider().requestWithProgress(target)
            var last: Response?
            for try await progress in sequence { last = progress.response }
            #expect(last?.data.count == Self.body.count)
        }
    }

    @Test("a download completes after its provider is released")
    func download() async throws {
        let folder = try TemporaryFolder()
        try await withServer { target in
            var target = target
            target.task = .download(to: folder.file("long"))
            _ = try await Provider().request(target)
            #expect(try Data(contentsOf: folder.file("long")).count == Self.body.count)
        }
    }

    @Test("a session's request completes after the session is released")
    func request() async throws {
        try await withServer { target in
            let request = Session().request(URLRequest(url: target.baseURL))
            let data = try await request.value.data
            #expect(data.count == Self.body.count)
        }
    }

    @Test("server-sent events continue over the next connection after the provider is released")
    func events() async throws {
        let server = try await StubServer([
            "/events": .init(
                headers: ["Content-Type: text/event-stream"],
                body: Data("retry: 0\n\ndata: a\n\ndata: b\n\n".utf8),
                framing: .close
            )
        ])
        let target = TaskTarget(baseURL: server.url("/events"), method: .get, task: .requestPlain)
        let events = Provider().events(target)
        var data: [String] = []
        for try await event in events {
            data.append(event.data)
            if data.count == 4 { break }
        }
        #expect(data == ["a", "b", "a", "b"])
        await server.shutDown()
    }
}
