#if NIO && !canImport(Darwin)
import Foundation
import FoundationNetworking
import HTTPTypes
import TestServers
import Testing

@testable import MoyaHTTP

@Suite("NIOTransport reuses, replaces and closes connections", .timeLimit(.minutes(5)))
struct NIOTransportTests {
    /// Runs a test with a server and a transport with one connection to it.
    private func run(
        proxied: Bool = false,
        _ serve: @escaping @Sendable (RawConnection) async throws -> Void,
        then body: (NIOTransport, RawServer) async throws -> Void
    ) async throws {
        let server = try await RawServer(serve)
        var configuration = TransportConfiguration()
        configuration.maximumConnectionsPerHost = 1
        if proxied {
            configuration.proxy = .http(host: "127.0.0.1", port: server.port)
            // With another host name, plain http uses a tunnel.
            configuration.dnsOverride = ["api.invalid": "host.invalid"]
        }
        let transport = try NIOTransport(connection: configuration)
        try await transport.shutDown(after: { try await body(transport, server) })
        await server.shutDown()
    }

    private func text(_ transport: NIOTransport, _ url: URL) async throws -> String {
        let data = try await transport.send(TransportRequest(method: .get, url: url)).collected()
        return String(decoding: data, as: UTF8.self)
    }

    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    @Test("an invalid request does not consume a body that can be sent once")
    func invalidRequest() async throws {
        try await run { connection in
            while try await connection.head() != nil {
                let body = try await connection.body()
                #expect(body == Data("once".utf8))
                try await connection.writer.write(Self.ok)
            }
        } then: { transport, server in
            let stream = HTTPBody.stream(InputStream(data: Data("once".utf8)))
            let invalid = TransportRequest(method: .init(rawValue: "P T"), url: server.url(), body: stream)
            await #expect(throws: RequestValidationError.invalidMethod("P T")) { try await transport.send(invalid) }
            let request = TransportRequest(method: .put, url: server.url(), body: stream)
            try await expectEqual(transport.send(request).collected(), Data("ok".utf8))
        }
    }

    @Test("one connection carries all requests, including requests that waited for it")
    func reuse() async throws {
        let connections = Locked(0)
        try await run { connection in
            connections.withLock { $0 += 1 }
            while try await connection.head() != nil { try await connection.writer.write(Self.ok) }
        } then: { transport, server in
            for _ in 0..<5 {
                let text = try await text(transport, server.url())
                #expect(text == "ok")
            }
            try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<20 { group.addTask { try await text(transport, server.url()) } }
                for try await text in group { #expect(text == "ok") }
            }
            #expect(connections.withLock { $0 } == 1)
        }
    }

    /// An attacker who injects bytes into one response could otherwise respond to the next request (RFC 9112, section 11.2).
    @Test(
        "bytes after a response are not a response to the next request, and they end the connection",
        arguments: ["HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil", "\r\n\r\nx", "evil"]
    )
    func bytesNobodyAskedFor(junk: String) async throws {
        let connections = Locked(0)
        try await run { connection in
            connections.withLock { $0 += 1 }
            while try await connection.head() != nil { try await connection.writer.write(Self.ok + junk) }
        } then: { transport, server in
            try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<20 { group.addTask { try await text(transport, server.url()) } }
                for try await text in group { #expect(text == "ok") }
            }
            #expect(connections.withLock { $0 } == 20)
        }
    }

    @Test("a connection that the server will close carries no second request (RFC 9112, section 9.6)")
    func lastResponse() async throws {
        let counts = Locked<[Int]>([])
        try await run { connection in
            var count = 0
            // The count is recorded even if reading fails because the connection is closed.
            defer { counts.withLock { [count] in $0.append(count) } }
            while try await connection.head() != nil {
                count += 1
                try await connection.writer.write(
                    "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok"
                )
            }
        } then: { transport, server in
            for _ in 0..<5 {
                let text = try await text(transport, server.url())
                #expect(text == "ok")
            }
        }
        #expect(counts.withLock { $0 } == [1, 1, 1, 1, 1])
    }

    @Test("a connection attempt that never ends does not block later requests")
    func stalledAttempt() async throws {
        let isSilent = Locked(true)
        let (silent, answered) = (Locked(0), Locked(0))
        try await run(proxied: true) { connection in
            if isSilent.withLock({ $0 }) {
                silent.withLock { $0 += 1 }
                return await connection.waitUntilClosed()
            }
            guard try await connection.head() != nil else { return }
            answered.withLock { $0 += 1 }
            try await connection.writer.write("HTTP/1.1 200 OK\r\n\r\n")
            while try await connection.head() != nil { try await connection.writer.write(Self.ok) }
        } then: { transport, _ in
            let url = try #require(URL(string: "http://api.invalid/"))
            // On a busy machine the timeout may pass before the transport connects.
            while silent.withLock({ $0 }) == 0 {
                let stalled = TransportRequest(method: .get, url: url, idleTimeout: .milliseconds(300))
                let error = await #expect(throws: URLError.self) { try await transport.send(stalled) }
                #expect(error?.code == .timedOut)
            }
            isSilent.withLock { $0 = false }
            #expect(try await text(transport, url) == "ok")
            #expect(answered.withLock { $0 } == 1)
        }
    }

    @Test(
        "the error names a proxy that responds with an error, with nothing, or not with HTTP",
        arguments: [
            ("HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n", URLError.Code.badServerResponse),
            ("HTTP/1.1 302 Found\r\nLocation: http://elsewhere/\r\n\r\n", .badServerResponse),
            ("SSH-2.0-OpenSSH_9.6\r\n\r\n", .cannotParseResponse),
            ("", .networkConnectionLost),
        ]
    )
    func uselessProxy(response: String, code: URLError.Code) async throws {
        try await run(proxied: true) { connection in
            _ = try await connection.head()
            try await connection.writer.write(response)
        } then: { transport, _ in
            for scheme in ["http", "https"] {
                let url = try #require(URL(string: "\(scheme)://api.invalid/"))
                let error = await #expect(throws: URLError.self) { try await text(transport, url) }
                #expect(error?.code == code)
            }
        }
    }

    @Test(
        "a response 101 fails its request, and the error tells whether the request has asked for another protocol",
        arguments: [
            (nil, "The server switched protocols (101) without a request for it."),
            ("websocket", "The server switched protocols (101), and other protocols are not supported."),
        ] as [(String?, String)]
    )
    func switchedProtocol(upgrade: String?, description: String) async throws {
        let connections = Locked(0)
        try await run { connection in
            let number = connections.withLock { count in
                count += 1
                return count
            }
            let switching = "HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: evil\r\n\r\nevil"
            while try await connection.head() != nil {
                try await connection.writer.write(number == 1 ? switching : Self.ok)
            }
        } then: { transport, server in
            let headers: HTTPFields = upgrade.map { [.connection: "Upgrade", .upgrade: $0] } ?? [:]
            let request = TransportRequest(method: .get, url: server.url(), headers: headers)
            let error = await #expect(throws: URLError.self) { try await transport.send(request) }
            #expect(error?.code == .badServerResponse)
            #expect(error?.localizedDescription == description)
            let next = try await text(transport, server.url())
            #expect(next == "ok")
            #expect(connections.withLock { $0 } == 2)
        }
    }

    @Test("the cancellation of waiting requests does not affect other requests")
    func cancelledWaiting() async throws {
        let gate = Promise<Void>()
        try await run { connection in
            while try await connection.head() != nil {
                await gate.wait()
                try await connection.writer.write(Self.ok)
            }
        } then: { transport, server in
            let url = server.url()
            let tasks = (0..<60).map { _ in Task { try await text(transport, url) } }
            for (number, task) in tasks.enumerated() where number % 3 != 0 { task.cancel() }
            for (number, task) in tasks.enumerated() where number % 3 != 0 {
                let error = await #expect(throws: URLError.self) { try await task.value }
                #expect(error?.code == .cancelled)
            }
            gate.fulfill(())
            for (number, task) in tasks.enumerated() where number % 3 == 0 {
                let text = try await task.value
                #expect(text == "ok")
            }
        }
    }

    @Test("a shutdown of NIOTransport ends running and waiting requests", arguments: [false, true])
    func shutdown(overTLS: Bool) async throws {
        let authority = try TestAuthority()
        let server = try await SecureServer(tls: overTLS ? authority.issue().serverConfiguration() : nil)
        var configuration = try TransportConfiguration(trusting: authority)
        configuration.maximumConnectionsPerHost = 1
        let transport = try NIOTransport(connection: configuration)
        let url = server.url("/never", scheme: overTLS ? "https" : "http")
        let tasks = (0..<4).map { _ in
            Task { try await transport.send(TransportRequest(method: .get, url: url)) }
        }
        #expect(await server.waitForEvent { if case .request = $0 { true } else { false } })
        await transport.shutdown()
        for task in tasks {
            let error = await #expect(throws: URLError.self) { try await task.value }
            #expect(error?.code == .cancelled)
        }
        try await server.shutDown()
    }
}
#endif
