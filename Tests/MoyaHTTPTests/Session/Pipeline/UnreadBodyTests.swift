#if NIO && !canImport(Darwin)
import Foundation
import FoundationNetworking
import TestServers
import TestSupport
import Testing

@testable import MoyaHTTP

@Suite("The connection of an unread response body is reused or closed", .timeLimit(.minutes(5)))
struct UnreadBodyTests {
    /// Retries each response with an error, once.
    private struct RetryOnce: RequestInterceptor {
        func retry(_ attempt: RequestAttempt, for session: Session) async -> RetryResult {
            guard case .response(let status, _) = attempt.outcome, status >= 400 else { return .doNotRetry }
            return attempt.retryCount == 0 ? .retry : .doNotRetry
        }
    }

    /// The body of an unread response.
    enum Body: CaseIterable, Sendable {
        /// An endless body that arrives as fast as it is read.
        case endless
        /// An endless body with a few bytes from time to time, so that the exchange is never idle.
        case dripping
        /// A body that never arrives.
        case silent
        /// A body with a length beyond the amount that is read.
        case long

        var field: String {
            switch self {
            case .endless, .dripping: "Transfer-Encoding: chunked"
            case .silent: "Content-Length: 10"
            case .long: "Content-Length: 1000000000"
            }
        }

        /// Sends the body until the client closes the connection.
        func send(on connection: RawConnection) async throws {
            switch self {
            case .endless:
                let chunk = "8000\r\n\(String(repeating: "x", count: 0x8000))\r\n"
                while true { try await connection.writer.write(chunk) }
            case .dripping:
                while true {
                    try await connection.writer.write("1\r\nx\r\n")
                    try await Task.sleep(for: .milliseconds(20))
                }
            case .silent: await connection.waitUntilClosed()
            case .long:
                let piece = String(repeating: "x", count: 0x8000)
                while true { try await connection.writer.write(piece) }
            }
        }
    }

    /// Responds to the first request with a body that is not read, and to later ones with 200.
    private static func server(_ head: String, _ body: Body, _ closed: Locked<Int>) async throws -> RawServer {
        let isFirst = Locked(true)
        return try await RawServer { connection in
            while try await connection.head() != nil {
                let isLong = isFirst.withLock { first in
                    defer { first = false }
                    return first
                }
                guard isLong else {
                    try await connection.writer.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
                    continue
                }
                try await connection.writer.write("HTTP/1.1 \(head)\r\n\(body.field)\r\n\r\n")
                defer { closed.withLock { $0 += 1 } }
                try await body.send(on: connection)
                return
            }
        }
    }

    /// For comparison: Go 1.19 reads up to 2 KiB of a redirect's body without a time limit, curl 7.88 reads all of it, and
    /// `fetch` of Node.js 20 reads nothing.
    @Test(
        "an unread body does not block the next request after a redirect, a challenge or a retried response",
        arguments: [
            "302 Found\r\nLocation: /short", "401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"r\"",
            "503 Service Unavailable",
        ],
        Body.allCases
    )
    func oneConnection(head: String, body: Body) async throws {
        let closed = Locked(0)
        let server = try await Self.server(head, body, closed)
        let transport = NIOTransport(maximumConnectionsPerHost: 1)
        try await transport.shutDown(after: {
            let session = Session.alone(on: transport, interceptor: head.hasPrefix("503") ? RetryOnce() : nil)
            var request = URLRequest(url: server.url("/long"))
            // The idle timeout is too long to end the wait within the test.
            request.timeoutInterval = 3_600
            let response = try await session.data(for: request, record: .user("u", "p"))
            #expect(response.statusCode == 200)
            #expect(response.data == Data("ok".utf8))
            // The connection is closed and not only abandoned.
            while closed.withLock({ $0 }) == 0 { try await Task.sleep(for: .milliseconds(1)) }
        })
        await server.shutDown()
    }

    @Test(
        "the connection of an unread short body is reused, whenever the body arrives",
        arguments: [
            "302 Found\r\nLocation: /short", "401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"r\"",
            "503 Service Unavailable",
        ]
    )
    func shortBody(head: String) async throws {
        // A stalled machine may exceed the time for reading the body.
        for _ in 1...10 where try await Self.connections(afterShortBodyOf: head) == 1 { return }
        Issue.record("no run reused the connection")
    }

    /// Returns the number of connections that a request needs whose first response has an unread short body.
    private static func connections(afterShortBodyOf head: String) async throws -> Int {
        let connections = Locked(0)
        let server = try await RawServer { connection in
            let number = connections.withLock { count in
                count += 1
                return count
            }
            if number == 1, try await connection.head() != nil {
                // More than one read, so that the head is processed before the end has been read.
                let body = String(repeating: "x", count: 60_000)
                try await connection.writer.write("HTTP/1.1 \(head)\r\nContent-Length: 60000\r\n\r\n\(body)")
            }
            while try await connection.head() != nil {
                try await connection.writer.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            }
        }
        let transport = NIOTransport(maximumConnectionsPerHost: 1)
        try await transport.shutDown(after: {
            let session = Session.alone(on: transport, interceptor: head.hasPrefix("503") ? RetryOnce() : nil)
            let response = try await session.data(
                for: URLRequest(url: server.url("/long")),
                record: .user("u", "p")
            )
            #expect(response.data == Data("ok".utf8))
        })
        await server.shutDown()
        return connections.withLock { $0 }
    }

    @Test(
        "an unread body is not awaited on a connection that cannot be reused",
        arguments: [nil, HTTPBody.data(Data(count: 40_000))]
    )
    func notReusable(rejected upload: HTTPBody?) async throws {
        let closed = Locked(0)
        let head = "503 Service Unavailable" + (upload == nil ? "\r\nConnection: close" : "")
        let server = try await Self.server(head, .silent, closed)
        let transport = NIOTransport()
        try await transport.shutDown(after: {
            var request = TransportRequest(method: .put, url: server.url("/long"), body: upload)
            request.responseBufferLimit = 0
            request.idleTimeout = .seconds(3_600)
            var response = try await transport.send(request)
            let clock = WaitClock(isEndless: true)
            await response.dropBody(clock: clock)
            #expect(clock.waits.isEmpty)
            while closed.withLock({ $0 }) == 0 { try await Task.sleep(for: .milliseconds(1)) }
        })
        await server.shutDown()
    }

    @Test("the body of an unfollowed redirect or a final response is returned, not discarded")
    func kept() async throws {
        let server = try await RawServer { connection in
            while let head = try await connection.head() {
                let status = head.path == "/302" ? "302 Found\r\nLocation: /short" : "\(head.path.dropFirst()) x"
                try await connection.writer.write("HTTP/1.1 \(status)\r\nContent-Length: 20000\r\n\r\n")
                for _ in 0..<20 { try await connection.writer.write(String(repeating: "x", count: 1_000)) }
            }
        }
        let transport = NIOTransport(maximumConnectionsPerHost: 1)
        try await transport.shutDown(after: {
            let session = Session.alone(
                on: transport,
                interceptor: RetryOnce(),
                redirectHandler: Redirector(behavior: .doNotFollow)
            )
            for status in [302, 401, 503] {
                let response = try await session.data(for: URLRequest(url: server.url("/\(status)")))
                #expect(response.statusCode == status)
                #expect(response.data.count == 20_000)
            }
        })
        await server.shutDown()
    }

    @Test(
        "an HTTP/2 connection stays open after an unread body, and the stream is reset",
        arguments: ["302", "401", "503"]
    )
    func http2(status: String) async throws {
        let connections = Locked(0)
        let resets = Locked<[UInt32]>([])
        try await HTTP2Live.run { peer in
            connections.withLock { $0 += 1 }
            var first: UInt32?
            while let frame = try await peer.frame() {
                if frame.type == RawFrame.Kind.reset { resets.withLock { $0.append(frame.stream) } }
                guard frame.type == RawFrame.Kind.headers else { continue }
                if first == nil {
                    first = frame.stream
                    try await peer.send(
                        headers: [
                            (":status", status), ("location", "/short"),
                            ("www-authenticate", "Basic realm=\"r\""),
                        ],
                        on: frame.stream
                    )
                    // The rest never arrives.
                    try await peer.send(data: "x", on: frame.stream)
                } else {
                    try await peer.respond(on: frame.stream)
                }
            }
        } then: { transport, server in
            let session = Session.alone(on: transport, interceptor: status == "503" ? RetryOnce() : nil)
            var request = URLRequest(url: server.url("/long"))
            request.timeoutInterval = 3_600
            let response = try await session.data(for: request, record: .user("u", "p"))
            #expect(response.data == Data("ok".utf8))
            #expect(connections.withLock { $0 } == 1)
            while resets.withLock({ $0.isEmpty }) { try await Task.sleep(for: .milliseconds(1)) }
            #expect(resets.withLock { $0 } == [1])
        }
    }

    @Test("the connection is closed after a refused expectation (417) whose body never arrives")
    func expectation() async throws {
        let closed = Locked(0)
        let server = try await Self.server("417 Expectation Failed", .silent, closed)
        var configuration = TransportConfiguration()
        configuration.expectContinueSize = 1
        configuration.expectContinueTimeout = .seconds(3_600)
        configuration.maximumConnectionsPerHost = 1
        let transport = try NIOTransport(connection: configuration)
        try await transport.shutDown(after: {
            var request = URLRequest("PUT", server.url("/long"), body: "body")
            request.timeoutInterval = 3_600
            let response = try await Session.alone(on: transport).data(for: request)
            #expect(response.data == Data("ok".utf8))
        })
        await server.shutDown()
    }

    @Test("the connection is replaced after a proxy's challenge to CONNECT whose body never arrives")
    func connect() async throws {
        let heads = Locked<[String]>([])
        let proxy = try await RawServer { connection in
            while let head = try await connection.head() {
                let isFirst = heads.withLock { heads in
                    heads.append(head["Proxy-Authorization"].map { String($0.prefix(6)) } ?? "none")
                    return heads.count == 1
                }
                guard isFirst else {
                    try await connection.writer.write("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")
                    continue
                }
                try await connection.writer.write(
                    "HTTP/1.1 407 x\r\nProxy-Authenticate: Digest realm=\"r\", nonce=\"n\", qop=\"auth\"\r\n"
                        + "Content-Length: 10\r\n\r\n"
                )
            }
        }
        var configuration = TransportConfiguration()
        configuration.connectTimeout = nil
        // The proxy would accept another connection while the first one waits for the body.
        configuration.startsSecondAttempt = false
        configuration.proxy = .http(
            host: "127.0.0.1",
            port: proxy.port,
            credential: .init(user: "u", password: "p")
        )
        let transport = try NIOTransport(connection: configuration)
        try await transport.shutDown(after: {
            var request = TransportRequest(method: .get, url: try #require(URL(string: "https://a.example/")))
            request.idleTimeout = .seconds(3_600)
            let proxied = request
            let error = await #expect(throws: URLError.self) { try await transport.send(proxied) }
            let text = "The proxy 127.0.0.1:\(proxy.port) refused to connect with status 403."
            #expect(error?.localizedDescription == text)
            #expect(heads.withLock { $0 } == ["Basic ", "Digest"])
        })
        await proxy.shutDown()
    }

    @Test(
        "the connection of an unread body is closed when a request that waits for the rest of the body is cancelled"
    )
    func cancelled() async throws {
        let hasBegun = Promise<Void>()
        let server = try await RawServer { connection in
            _ = try await connection.head()
            try await connection.writer.write("HTTP/1.1 302 Found\r\nLocation: /\r\nContent-Length: 10\r\n\r\nx")
            hasBegun.fulfill(())
            await connection.waitUntilClosed()
        }
        let transport = NIOTransport()
        try await transport.shutDown(after: {
            let session = Session.alone(on: transport)
            let task = Task { try await session.data(for: URLRequest(url: server.url("/"))) }
            await hasBegun.wait()
            task.cancel()
            await expectEqual(HTTP2Live.code { try await task.value }, .cancelled)
        })
        await server.shutDown()
    }
}
#endif
