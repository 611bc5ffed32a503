import Crypto
import Foundation
import MiddlewareExamples
import Moya
import TestServers
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("The examples of middleware work with a server", .timeLimit(.minutes(2)))
struct MiddlewareTests {
    /// Runs a test with a server.
    private func withServer(
        _ react: @escaping @Sendable (ReactingServer.Received) -> ReactingServer.Reaction = { _ in .respond(200) },
        _ body: (ReactingServer) async throws -> Void
    ) async throws {
        let server = try await ReactingServer { react($0) }
        try await body(server)
        await server.shutDown()
    }

    @Test(
        "the signature of a signing middleware covers the request that the server gets, and is renewed after each redirect"
    )
    func signs() async throws {
        let secret = Data("a secret that both sides have".utf8)
        try await withServer {
            $0.head.path == "/a" ? .respond(307, headers: ["Location: /b?x=1"]) : .respond(200)
        } _: {
            server in
            let signing = HMACSigning(keyID: "app", key: SymmetricKey(data: secret))
            let session = Session(exchangeMiddleware: [signing])
            var request = URLRequest(url: server.url("/a"))
            request.httpMethod = "POST"
            let response = try await session.data(for: request, body: .data(Data("body".utf8)))
            #expect(response.statusCode == 200)
            #expect(server.requests.map(\.head.target) == ["/a", "/b?x=1"])
            for received in server.requests {
                let hash = Crypto.SHA256.hash(data: received.body).map { String(format: "%02x", $0) }.joined()
                let lines = [received.head.method, received.head.target, received.head["date"] ?? "", hash]
                let text = Data(lines.joined(separator: "\n").utf8)
                let code = HMAC<Crypto.SHA256>.authenticationCode(for: text, using: SymmetricKey(data: secret))
                let signature = "HMAC-SHA256 keyId=\"app\", signature=\"\(Data(code).base64EncodedString())\""
                #expect(received.head["authorization"] == signature)
            }
        }
    }

    @Test("a request whose body can be read only once fails in a signing middleware")
    func doesNotSign() async throws {
        try await withServer { server in
            let session = Session(exchangeMiddleware: [HMACSigning(keyID: "app", key: SymmetricKey(size: .bits256))])
            var request = URLRequest(url: server.url("/"))
            request.httpMethod = "POST"
            await #expect(throws: HMACSigning.BodyNotRepeatable.self) {
                try await session.data(for: request, body: .stream(InputStream(data: Data("body".utf8))))
            }
            #expect(server.count == 0)
        }
    }

    @Test("a request has the same ID in all attempts, and other requests have other IDs")
    func numbers() async throws {
        try await withServer {
            $0.number == 0 ? .respond(503) : .respond(200)
        } _: { server in
            let session = Session(interceptor: Once(), middleware: [RequestIDHeader()])
            for _ in 1...2 { _ = try await session.data(for: URLRequest(url: server.url())) }
            let ids = server.requests.map { $0.head["x-request-id"] }
            #expect(ids.count == 3)
            #expect(ids.allSatisfy { $0.flatMap { UUID(uuidString: $0) } != nil })
            #expect(ids[0] == ids[1])
            #expect(ids[1] != ids[2])
        }
    }

    @Test("a response is kept in memory for data requests, but not for downloads")
    func caches() async throws {
        try await withServer { server in
            let session = Session(middleware: [MemoryCache()])
            let request = URLRequest(url: server.url())
            for _ in 1...3 { #expect(try await session.data(for: request).data == Data("ok".utf8)) }
            #expect(server.count == 1)
            let other = URLRequest(url: server.url("/other"))
            let file = FileManager.default.temporaryDirectory.appendingPathComponent("moya-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: file) }
            _ = try await session.download(other, to: { _, _ in (file, .removePreviousFile) })
            #expect(try Data(contentsOf: file) == Data("ok".utf8))
            #expect(try await session.data(for: other).data == Data("ok".utf8))
            #expect(server.count == 3)
        }
    }
}

/// Retries a failure, and a status of 500 and above, once.
private struct Once: RequestInterceptor {
    func retry(_ attempt: RequestAttempt, for session: Session) async -> RetryResult {
        guard attempt.retryCount == 0 else { return .doNotRetry }
        if case .response(let status, _) = attempt.outcome, status < 500 { return .doNotRetry }
        return .retry
    }
}
