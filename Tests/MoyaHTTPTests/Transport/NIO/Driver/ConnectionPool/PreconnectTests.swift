#if NIO && !canImport(Darwin)
import Foundation
import FoundationNetworking
import TestServers
import Testing

@testable import MoyaHTTP

@Suite("A transport preconnects to a server", .timeLimit(.minutes(5)))
struct PreconnectTests {
    /// A server that counts its connections and the requests on each.
    private func withServer(
        _ body: (URL, Locked<[Int]>) async throws -> Void
    ) async throws {
        let requests = Locked<[Int]>([])
        let server = try await RawServer { connection in
            let place = requests.withLock { all in
                all.append(0)
                return all.count - 1
            }
            while try await connection.head() != nil {
                requests.withLock { $0[place] += 1 }
                try await connection.writer.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            }
        }
        try await body(server.url("/"), requests)
        await server.shutDown()
    }

    @Test("the next request uses the preconnected connection and opens no other connection")
    func reuse() async throws {
        try await withServer { url, requests in
            let transport = NIOTransport()
            let session = Session.alone(on: transport)
            try await session.preconnect(to: url)
            try await session.preconnect(to: url)
            for _ in 0..<2 { #expect(try await session.data(for: URLRequest(url: url)).text == "ok") }
            await transport.shutdown()
            #expect(requests.withLock { $0 } == [2])
        }
    }

    @Test("preconnecting opens several connections up to the limit")
    func several() async throws {
        try await withServer { url, requests in
            let transport = NIOTransport(maximumConnectionsPerHost: 3)
            try await transport.preconnect(to: url, connections: 2)
            try await transport.preconnect(to: url, connections: 10)
            try await transport.preconnect(to: url, connections: 0)
            _ = try await SecureExchanges.text(of: transport.send(TransportRequest(method: .get, url: url)))
            // The server accepts a connection after the client has it.
            try await eventually { requests.withLock { $0.count } == 3 }
            await transport.shutdown()
            #expect(requests.withLock { $0.sorted() } == [0, 0, 1])
        }
    }

    @Test("preconnecting over HTTP/2 opens one connection and includes the TLS handshake")
    func http2() async throws {
        let authority = try TestAuthority()
        try await SecureExchanges.withServer(try authority.issue(), http2: true) { server in
            let transport = try NIOTransport(connection: TransportConfiguration(trusting: authority))
            try await transport.preconnect(to: server.url(), connections: 4)
            try await transport.preconnect(to: server.url(), connections: 4)
            let response = try await transport.send(TransportRequest(method: .get, url: server.url("/a")))
            #expect(try await SecureExchanges.text(of: response) == "GET /a 2")
            await transport.shutdown()
            let closed = try #require(await server.waitUntilClosed())
            #expect(closed.events.count == 1)
        }
    }

    @Test("the preconnected connection is closed after the idle time")
    func idle() async throws {
        let server = try await SecureServer(tls: nil)
        var configuration = TransportConfiguration()
        configuration.idleConnectionTimeout = .milliseconds(50)
        let transport = try NIOTransport(connection: configuration)
        try await transport.preconnect(to: server.url(scheme: "http"), connections: 1)
        #expect(await server.waitUntilClosed()?.events.count == 0)
        await transport.shutdown()
        try await server.shutDown()
    }

    @Test("preconnecting to an unreachable or untrusted server fails")
    func failures() async throws {
        let nobody = try DeadPort()
        let transport = NIOTransport()
        let refused = await #expect(throws: URLError.self) {
            try await transport.preconnect(to: nobody.url, connections: 1)
        }
        #expect(refused?.code == .cannotConnectToHost)
        #expect(refused?.failingURL == nobody.url)
        let authority = try TestAuthority()
        let server = try await SecureServer(tls: authority.issue().serverConfiguration())
        let untrusted = await #expect(throws: URLError.self) {
            try await transport.preconnect(to: server.url(), connections: 2)
        }
        #expect(untrusted?.serverTrustError != nil)
        for text in ["ftp://a", "http://a:0", "http://a:99999"] {
            let url = try #require(URL(string: text))
            await #expect(throws: URLError.self) { try await transport.preconnect(to: url, connections: 1) }
        }
        await transport.shutdown()
        let ended = await #expect(throws: URLError.self) {
            try await transport.preconnect(to: nobody.url, connections: 1)
        }
        #expect(ended?.code == .resourceUnavailable)
        try await server.shutDown()
    }

    @Test("cancelling the task or shutting down the transport ends the preconnect", arguments: [false, true])
    func cancellation(byShutdown: Bool) async throws {
        let (accepted, acceptedEnd) = AsyncStream<Void>.makeStream()
        // The server does not respond to a TLS handshake.
        let server = try await RawServer { connection in
            acceptedEnd.yield()
            await connection.waitUntilClosed()
        }
        let transport = NIOTransport()
        let url = try #require(URL(string: "https://127.0.0.1:\(server.port)/"))
        let task = Task { try await transport.preconnect(to: url, connections: 1) }
        for await _ in accepted { break }
        if byShutdown { await transport.shutdown() } else { task.cancel() }
        let error = await #expect(throws: URLError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        await transport.shutdown()
        await server.shutDown()
    }
}
#endif
