#if NIO && !canImport(Darwin)
import Foundation
import FoundationNetworking
import TestServers
import Testing

@testable import MoyaHTTP

@Suite("Transports use proxies, connection limits and connect timeouts", .timeLimit(.minutes(5)))
struct TransportRouteTests {
    private let credential = TransportProxy.Credential(user: "user", password: "pass word")
    private let authorization = "Basic dXNlcjpwYXNzIHdvcmQ="

    private func send(_ url: URL, _ configuration: TransportConfiguration) async throws -> String {
        try await SecureExchanges.send(TransportRequest(method: .get, url: url), configuration)
    }

    @Test(
        "an HTTP proxy gets CONNECT for https and a request in absolute form for http",
        arguments: [false, true],
        [false, true]
    )
    func httpProxy(overTLS: Bool, withCredential: Bool) async throws {
        let authority = try TestAuthority()
        let proxy = try await TestProxy(.http(authorization: withCredential ? authorization : nil))
        let server = try await SecureServer(tls: overTLS ? authority.issue().serverConfiguration() : nil)
        var configuration = try TransportConfiguration(trusting: authority)
        configuration.proxy = .http(
            host: "127.0.0.1",
            port: proxy.port,
            credential: withCredential ? credential : nil
        )
        let text = try await send(server.url("/p", scheme: overTLS ? "https" : "http"), configuration)
        #expect(text == "GET /p \(overTLS ? 2 : 1)")
        try await server.shutDown()
        let events = try await proxy.shutDown()
        let given = withCredential ? authorization : nil
        expectOnly(
            overTLS
                ? .tunnel("localhost:\(server.port)", authorization: given)
                : .forwarded("GET http://localhost:\(server.port)/p", authorization: given),
            in: events
        )
    }

    /// Expects one or more equal events: a slow connection to an https server is joined by another after 250 ms.
    private func expectOnly(_ event: TestProxy.Event, in events: [TestProxy.Event]) {
        #expect(events.first == event)
        #expect(events.allSatisfy { $0 == event })
    }

    @Test(
        "the response of a proxy that refuses the credentials is distinguished from a server's response",
        arguments: [false, true]
    )
    func refusingProxy(withCredential: Bool) async throws {
        let proxy = try await TestProxy(.http(authorization: "Basic b3RoZXI6b3RoZXI="))
        var configuration = TransportConfiguration()
        configuration.proxy = .http(
            host: "127.0.0.1",
            port: proxy.port,
            credential: withCredential ? credential : nil
        )
        let url = try #require(URL(string: "https://api.invalid/p"))
        let error = await #expect(throws: URLError.self) { try await send(url, configuration) }
        #expect(error?.code == .userAuthenticationRequired)
        #expect(error.map { "\($0)" }?.contains("pass word") == false)
        let events = try await proxy.shutDown()
        expectOnly(.refused("api.invalid:443", authorization: withCredential ? authorization : nil), in: events)
    }

    @Test("a SOCKS proxy gets the host's name and looks up its address", arguments: [false, true])
    func socksProxy(overTLS: Bool) async throws {
        let authority = try TestAuthority()
        let proxy = try await TestProxy(.socks)
        let identity = try authority.issue(names: ["api.invalid"], addresses: [])
        let server = try await SecureServer(tls: overTLS ? identity.serverConfiguration() : nil)
        var configuration = TransportConfiguration(
            serverTrustManager: ServerTrustManager(evaluators: [
                "api.invalid": PinnedCertificatesTrustEvaluator(
                    certificates: [try Certificate(der: authority.root)],
                    acceptSelfSignedCertificates: true
                )
            ])
        )
        configuration.proxy = .socks(host: "127.0.0.1", port: proxy.port)
        let url = server.url("/s", host: "api.invalid", scheme: overTLS ? "https" : "http")
        let text = try await send(url, configuration)
        #expect(text == "GET /s \(overTLS ? 2 : 1)")
        try await server.shutDown()
        let events = try await proxy.shutDown()
        expectOnly(.tunnel("api.invalid:\(server.port)", authorization: nil), in: events)
    }

    @Test("the certificate behind a proxy is compared with the server's address and not with the proxy's address")
    func addressBehindProxy() async throws {
        let authority = try TestAuthority()
        let proxy = try await TestProxy(.http(authorization: nil))
        // The proxy and its destination 192.0.2.1 are both at 127.0.0.1.
        let server = try await SecureServer(tls: authority.issue(names: []).serverConfiguration())
        var configuration = TransportConfiguration(
            serverTrustManager: ServerTrustManager(evaluators: [
                "192.0.2.1": PinnedCertificatesTrustEvaluator(
                    certificates: [try Certificate(der: authority.root)],
                    acceptSelfSignedCertificates: true
                )
            ])
        )
        configuration.proxy = .http(host: "127.0.0.1", port: proxy.port)
        let error = await #expect(throws: URLError.self) {
            try await send(server.url("/", host: "192.0.2.1"), configuration)
        }
        #expect(error?.serverTrustError?.reason == .hostNotInCertificate(names: ["127.0.0.1"]))
        try await server.shutDown()
        _ = try await proxy.shutDown()
    }

    @Test("a request through an unreachable proxy fails")
    func deadProxy() async throws {
        let nobody = try DeadPort()
        for proxy: TransportProxy in [
            .http(host: "127.0.0.1", port: nobody.port), .socks(host: "127.0.0.1", port: nobody.port),
        ] {
            var configuration = TransportConfiguration()
            configuration.proxy = proxy
            let url = try #require(URL(string: "https://api.invalid/"))
            let error = await #expect(throws: URLError.self) { try await send(url, configuration) }
            #expect(error?.code == .cannotConnectToHost)
        }
    }

    @Test("a request fails if the proxy cannot reach the server, or if the proxy does not act as a proxy")
    func uselessProxy() async throws {
        let nobody = try DeadPort()
        let server = try await SecureServer(tls: nil)
        let (http, socks) = (try await TestProxy(.http(authorization: nil)), try await TestProxy(.socks))
        let rows: [(TransportProxy, Set<URLError.Code>)] = [
            (.http(host: "127.0.0.1", port: http.port), [.networkConnectionLost]),
            (.socks(host: "127.0.0.1", port: socks.port), [.networkConnectionLost, .cannotConnectToHost]),
            (.socks(host: "127.0.0.1", port: server.port), [.networkConnectionLost, .cannotConnectToHost]),
        ]
        for (proxy, codes) in rows {
            var configuration = TransportConfiguration()
            configuration.proxy = proxy
            // A limit for the case that both are silent.
            configuration.connectTimeout = .seconds(60)
            let error = await #expect(throws: URLError.self) { try await send(nobody.url, configuration) }
            #expect(error.map { codes.contains($0.code) } == true, "\(proxy): \(String(describing: error))")
        }
        try await server.shutDown()
        _ = try await (http.shutDown(), socks.shutDown())
    }

    @Test("the connect timeout ends connecting before the request's timeout")
    func connectTimeout() async throws {
        let full = try FullPort()
        var configuration = TransportConfiguration()
        configuration.connectTimeout = .milliseconds(200)
        let url = try #require(URL(string: "http://127.0.0.1:\(full.port)/"))
        // The request's timeout exceeds the suite's limit, so a test that waits for it fails there.
        let request = TransportRequest(method: .get, url: url, idleTimeout: .seconds(3600))
        let error = await #expect(throws: URLError.self) {
            try await SecureExchanges.send(request, configuration)
        }
        #expect(error?.code == .timedOut)
    }

    @Test("a stalled TLS handshake is subject to the connect timeout")
    func handshakeTimeout() async throws {
        let server = try await RawServer { await $0.waitUntilClosed() }
        var configuration = TransportConfiguration()
        configuration.connectTimeout = .milliseconds(200)
        let url = try #require(URL(string: "https://localhost:\(server.port)/"))
        let error = await #expect(throws: URLError.self) { try await send(url, configuration) }
        #expect(error?.code == .timedOut)
        await server.shutDown()
    }

    @Test("a connection without a request is closed after the idle time")
    func idleConnection() async throws {
        let server = try await SecureServer(tls: nil)
        var configuration = TransportConfiguration()
        configuration.idleConnectionTimeout = .milliseconds(50)
        let transport = try NIOTransport(connection: configuration)
        _ = try await transport.send(TransportRequest(method: .get, url: server.url("/i", scheme: "http")))
        #expect(await server.waitUntilClosed()?.events.count == 1)
        await transport.shutdown()
        try await server.shutDown()
    }

    @Test("requests beyond the maximum number of connections wait")
    func connections() async throws {
        let server = try await SecureServer(tls: nil)
        var configuration = TransportConfiguration()
        configuration.maximumConnectionsPerHost = 2
        let transport = try NIOTransport(connection: configuration)
        let url = server.url("/never", scheme: "http")
        let running = (0..<2).map { _ in
            Task { try await transport.send(TransportRequest(method: .get, url: url)) }
        }
        for _ in running { #expect(await server.waitForEvent { if case .request = $0 { true } else { false } }) }
        let waiting = TransportRequest(
            method: .get,
            url: server.url("/waits", scheme: "http"),
            exchangeTimeout: .milliseconds(300)
        )
        let error = await #expect(throws: URLError.self) { try await transport.send(waiting) }
        #expect(error?.code == .timedOut)
        for task in running { task.cancel() }
        for task in running { _ = await task.result }
        await transport.shutdown()
        for _ in running {
            let seen = try #require(await server.waitUntilClosed())
            #expect(!seen.events.contains { if case .request = $0 { true } else { false } })
        }
        try await server.shutDown()
    }

    @Test("connections use the configured local address", arguments: ["127.0.0.2", "127.0.0.1"])
    func localAddress(address: String) async throws {
        let clients = Locked<[String?]>([])
        let server = try await RawServer { connection in
            clients.withLock { $0.append(connection.clientAddress) }
            while try await connection.head() != nil {
                try await connection.writer.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            }
        }
        var configuration = TransportConfiguration()
        configuration.localAddress = address
        let url = try #require(URL(string: "http://localhost:\(server.port)/"))
        let request = TransportRequest(method: .get, url: url)
        #expect(try await SecureExchanges.send(request, configuration) == "ok")
        #expect(clients.withLock { $0 } == [address])
        // An address of another machine.
        configuration.localAddress = "192.0.2.1"
        let error = await #expect(throws: URLError.self) {
            try await SecureExchanges.send(request, configuration)
        }
        #expect(error?.code == .cannotConnectToHost)
        await server.shutDown()
    }
}
#endif
