#if NIO && !canImport(Darwin)
import Foundation
import TestServers
import TestSupport
import Testing

@testable import MoyaHTTP

@Suite("The request for a WebSocket is a request like any other", .timeLimit(.minutes(5)))
struct WebSocketUpgradeTests {
    @Test("a refused upgrade throws an error with the response")
    func refused() async throws {
        let answer: @Sendable (RequestHead) -> WebSocketServer.Answer = { _ in
            .refuse(403, ["X-Reason": "no"], body: "go away")
        }
        try await withWebSocketServer(answer: answer) { _ in
        } test: { session, server in
            let error = await #expect(throws: WebSocketUpgradeError.self) { try await session.open(server) }
            #expect(error?.error == .upgradeRefused(status: 403))
            #expect(error?.response.statusCode == 403)
            #expect(error?.response.data == Data("go away".utf8))
            #expect(error.map { "\($0)" }?.contains("403") == true)
        }
    }

    @Test(
        "a response that contradicts the request is an error, and the connection is closed",
        arguments: [
            (["Sec-WebSocket-Accept": "AAAAAAAAAAAAAAAAAAAAAAAAAAA="], WebSocketError.InvalidUpgrade.accept),
            (["Sec-WebSocket-Accept": ""], .accept),
            (["Sec-WebSocket-Protocol": "other"], .subprotocol("other")),
            (["Sec-WebSocket-Extensions": "permessage-deflate; foo"], .extensions("permessage-deflate; foo")),
        ]
    )
    func invalid(_ fields: [String: String], _ reason: WebSocketError.InvalidUpgrade) async throws {
        let ends = Reports<Void>()
        try await withWebSocketServer(answer: { _ in .open(fields) }) { peer in
            _ = try? await peer.read()
            ends.add(())
        } test: { session, server in
            let error = await #expect(throws: WebSocketUpgradeError.self) {
                try await session.open(server, "/", WebSocketOptions(subprotocols: ["chat"]))
            }
            #expect(error?.error == .invalidUpgrade(reason))
            #expect(error?.response.statusCode == 101)
            #expect(await ends.next() != nil)
        }
    }

    @Test("invalid options are an error before anything is sent")
    func invalidOptions() async throws {
        try await withWebSocketServer { _ in
        } test: { session, server in
            await #expect(throws: WebSocketError.invalidOptions(.subprotocol("a b"))) {
                try await session.open(server, "/", WebSocketOptions(subprotocols: ["a b"]))
            }
            await #expect(throws: WebSocketError.invalidOptions(.windowBits(8))) {
                try await session.open(
                    server,
                    "/",
                    WebSocketOptions(compression: WebSocketCompression(clientWindowBits: 8))
                )
            }
        }
    }

    @Test("a redirect is followed")
    func redirect() async throws {
        let answer: @Sendable (RequestHead) -> WebSocketServer.Answer = { head in
            head.path == "/old" ? .refuse(307, ["Location": "/new"]) : .open()
        }
        try await withWebSocketServer(answer: answer) { peer in
            try await peer.send(.text(peer.request.target))
            try await peer.echo()
        } test: { session, server in
            let socket = try await session.open(server, "/old")
            #expect(try await socket.receive() == .text("/new"))
            #expect(socket.response.url?.path == "/new")
            try await socket.close()
        }
    }

    @Test("an interceptor adapts the request, and refreshes a token after a 401")
    func authentication() async throws {
        let answer: @Sendable (RequestHead) -> WebSocketServer.Answer = { head in
            head["Authorization"] == "Bearer 2" ? .open() : .refuse(401)
        }
        try await withWebSocketServer(answer: answer) { peer in
            try await peer.echo()
        } test: { session, server in
            let interceptor = CountingToken()
            let session = Session(transport: session.transport, interceptor: interceptor)
            let socket = try await session.open(server)
            try await socket.send(.text("a"))
            #expect(try await socket.receive() == .text("a"))
            try await socket.close()
            #expect(interceptor.count == 2)
        }
    }

    @Test("the credential of the request answers a challenge")
    func challenge() async throws {
        let answer: @Sendable (RequestHead) -> WebSocketServer.Answer = { head in
            head["Authorization"] == "Basic dXNlcjpwYXNz"
                ? .open() : .refuse(401, ["WWW-Authenticate": "Basic realm=\"a\""])
        }
        try await withWebSocketServer(answer: answer) {
            try await $0.echo()
        } test: { session, server in
            let configuration = URLSessionConfiguration.ephemeral
            let space = URLProtectionSpace(
                host: "127.0.0.1",
                port: server.port,
                protocol: "http",
                realm: "a",
                authenticationMethod: NSURLAuthenticationMethodHTTPBasic
            )
            let credential = URLCredential(user: "user", password: "pass", persistence: .forSession)
            configuration.urlCredentialStorage?.set(credential, for: space)
            let socket = try await Session(transport: session.transport, configuration: configuration).open(server)
            try await socket.close()
        }
    }

    @Test("cookies of the session are sent, and those of the response are stored")
    func cookies() async throws {
        let answer: @Sendable (RequestHead) -> WebSocketServer.Answer = { head in
            .open(["Set-Cookie": "b=2", "X-Cookies": head["Cookie"] ?? "none"])
        }
        let jar = CookieJar()
        try await withWebSocketServer(options: SessionOptions(cookieStorage: jar), answer: answer) {
            try await $0.echo()
        } test: {
            session,
            server in
            for expected in ["none", "b=2"] {
                let socket = try await session.open(server)
                #expect(socket.response.headers.first { $0.name.rawName == "X-Cookies" }?.value == expected)
                try await socket.close()
            }
        }
    }

    @Test("wss is a WebSocket over TLS")
    func tls() async throws {
        let authority = try TestAuthority()
        let server = try await WebSocketServer(tls: try authority.issue().serverConfiguration()) { try await $0.echo() }
        let certificate = try Certificate(der: authority.root)
        let evaluator = PinnedCertificatesTrustEvaluator(
            certificates: [certificate],
            acceptSelfSignedCertificates: true
        )
        let transport = try NIOTransport(
            connection: TransportConfiguration(
                serverTrustManager: ServerTrustManager(evaluators: ["localhost": evaluator])
            )
        )
        try await withSession(over: transport) { session in
            let url = try #require(URL(string: "WSS://localhost:\(server.port)/"))
            let socket = try await session.webSocket(for: URLRequest(url: url))
            try await socket.send(.text("a"))
            #expect(try await socket.receive() == .text("a"))
            try await socket.close()
        }
        await server.shutDown()
    }

    @Test("a server that does not answer is a timeout, and an open WebSocket has none")
    func timeout() async throws {
        try await withWebSocketServer {
            try await $0.echo()
        } test: { session, server in
            var request = URLRequest(url: server.url())
            request.timeoutInterval = 0.05
            // The first request may time out on a busy machine.
            while true {
                do {
                    let socket = try await session.webSocket(for: request, options: .plain)
                    // The server is silent for longer than the timeout: the ping is answered only after the clock has moved on.
                    let clock = ContinuousClock()
                    let end = clock.now + .milliseconds(200)
                    while clock.now < end { _ = try await socket.ping() }
                    try await socket.close()
                    return
                } catch let error as URLError where error.code == .timedOut {
                    request.timeoutInterval *= 4
                }
            }
        }
    }

    @Test("a transport without upgrades is an error")
    func unsupported() async throws {
        let session = Session(transport: FakeTransport { _ in TransportResponse(status: 200) })
        let url = try #require(URL(string: "ws://example.com"))
        let error = await #expect(throws: WebSocketUpgradeError.self) {
            try await session.webSocket(for: URLRequest(url: url))
        }
        #expect(error?.error == .upgradeRefused(status: 200))
    }
}

/// Adapts each attempt with the next token, and retries after a 401.
private final class CountingToken: RequestInterceptor {
    private let number = Locked(0)

    var count: Int { number.withLock { $0 } }

    func adapt(_ urlRequest: URLRequest, using state: RequestAdapterState) async throws -> URLRequest {
        var request = urlRequest
        let number = number.withLock { number in
            number += 1
            return number
        }
        request.setValue("Bearer \(number)", forHTTPHeaderField: "Authorization")
        return request
    }

    func retry(_ attempt: RequestAttempt, for session: Session) async -> RetryResult {
        attempt.error == nil ? .doNotRetry : .retry
    }
}
#endif
