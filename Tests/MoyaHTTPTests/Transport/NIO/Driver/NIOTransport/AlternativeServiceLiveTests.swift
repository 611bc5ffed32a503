#if NIO && !canImport(Darwin)
import Foundation
import FoundationNetworking
import TestServers
import Testing

@testable import MoyaHTTP

@Suite("A transport uses the alternatives that servers name (RFC 7838)", .timeLimit(.minutes(5)))
struct AlternativeServiceLiveTests {
    /// The requests that a server has received.
    private typealias Log = Locked<[String]>

    private let authority: TestAuthority
    private let identity: TestIdentity

    init() throws {
        authority = try TestAuthority()
        identity = try authority.issue(names: ["a.test"])
    }

    /// Runs a test with an origin over HTTP/1.1 whose responses name an alternative, and with a transport.
    private func withOrigin(
        naming field: @escaping @Sendable () -> String,
        usesAlternatives: Bool = true,
        proxyPort: Int? = nil,
        _ test: (any HTTPTransport, URL, Log) async throws -> Void
    ) async throws {
        let log = Log([])
        let server = try await RawServer(tls: identity.serverConfiguration()) { connection in
            while let head = try await connection.head() {
                let body = String(decoding: try await connection.body(), as: UTF8.self)
                log.withLock { $0.append("\(head.target) \(head["Alt-Used"] ?? "") \(body)") }
                try await connection.writer.write(
                    "HTTP/1.1 200 OK\r\nAlt-Svc: \(field())\r\nContent-Length: 6\r\n\r\norigin"
                )
            }
        }
        let manager = ServerTrustManager(
            trustedRoots: [try Certificate(der: authority.root)],
            includesSystemRoots: false
        )
        var configuration = TransportConfiguration(serverTrustManager: manager)
        configuration.usesAlternativeServices = usesAlternatives
        configuration.startsSecondAttempt = false
        for host in ["a.test", "b.test"] { configuration.dnsOverride[host] = "127.0.0.1" }
        configuration.proxy = proxyPort.map { .http(host: "127.0.0.1", port: $0) }
        let transport = try NIOTransport(connection: configuration)
        let url = try #require(URL(string: "https://a.test:\(server.port)"))
        let result: Result<Void, any Error>
        do {
            result = .success(try await transport.shutDown { try await test(transport, url, log) })
        } catch {
            result = .failure(error)
        }
        await server.shutDown()
        try result.get()
    }

    /// Runs a test with an alternative over HTTP/2, which responds with a status and its name.
    private func withAlternative(
        _ identity: TestIdentity? = nil,
        status: String = "200",
        fields: [(String, String)] = [],
        _ test: (Int, Log) async throws -> Void
    ) async throws {
        let log = Log([])
        let tls = try (identity ?? self.identity).serverConfiguration()
        let server = try await HTTP2Server(tls: tls) { peer in
            while let request = try await peer.request() {
                let (authority, used) = (request[":authority"] ?? "", request["alt-used"] ?? "")
                log.withLock { $0.append("\(request.path) \(authority) \(used)") }
                try await peer.send(headers: [(":status", status)] + fields, on: request.stream)
                try await peer.send(data: "alternative", on: request.stream, isEnd: true)
            }
        }
        let port = try #require(server.url().port)
        do {
            try await test(port, log)
        } catch {
            await server.shutDown()
            throw error
        }
        await server.shutDown()
    }

    /// Sends requests one after the other, and returns the bodies of the responses.
    private func texts(
        _ paths: [String],
        of url: URL,
        body: HTTPBody? = nil,
        over transport: any HTTPTransport
    ) async throws -> [String] {
        var texts: [String] = []
        for path in paths {
            let request = TransportRequest(
                method: body == nil ? .get : .post,
                url: try #require(URL(string: url.absoluteString + path)),
                body: body
            )
            texts.append(try await SecureExchanges.text(of: transport.send(request)))
        }
        return texts
    }

    private static let body = HTTPBody.data(Data("x".utf8))

    @Test(
        "after a response names an alternative, requests go there, and have the authority of the origin",
        arguments: ["", "b.test"]
    )
    func use(host: String) async throws {
        try await withAlternative { port, alternative in
            try await withOrigin(naming: { "h2=\"\(host):\(port)\"" }) { transport, url, origin in
                let bodies = try await texts(["/1", "/2", "/3"], of: url, body: Self.body, over: transport)
                #expect(bodies == ["origin", "alternative", "alternative"])
                let (authority, used) = ("a.test:\(url.port ?? 0)", "\(host.isEmpty ? "a.test" : host):\(port)")
                #expect(alternative.withLock { $0 } == ["/2 \(authority) \(used)", "/3 \(authority) \(used)"])
                #expect(origin.withLock { $0 } == ["/1  x"])
            }
        }
    }

    @Test("alternatives are not used by default, and not for a body that cannot be sent again")
    func notUsed() async throws {
        try await withAlternative { port, alternative in
            try await withOrigin(naming: { "h2=\":\(port)\"" }, usesAlternatives: false) { transport, url, _ in
                let bodies = try await texts(["/1", "/2"], of: url, over: transport)
                #expect(bodies == ["origin", "origin"])
            }
            try await withOrigin(naming: { "h2=\":\(port)\"" }) { transport, url, origin in
                _ = try await texts(["/1"], of: url, over: transport)
                let body = HTTPBody.stream(InputStream(data: Data("x".utf8)))
                let bodies = try await texts(["/2"], of: url, body: body, over: transport)
                #expect(bodies == ["origin"])
                #expect(origin.withLock { $0 } == ["/1  ", "/2  x"])
            }
            #expect(alternative.withLock { $0.isEmpty })
        }
    }

    @Test(
        "a field with clear, or with other protocols only, ends the use of an alternative",
        arguments: ["clear", "h3=\":443\""]
    )
    func clear(field: String) async throws {
        try await withAlternative(fields: [("alt-svc", field)]) { port, _ in
            try await withOrigin(naming: { "h2=\":\(port)\"" }) { transport, url, _ in
                let bodies = try await texts(["/1", "/2", "/3"], of: url, over: transport)
                #expect(bodies == ["origin", "alternative", "origin"])
            }
        }
    }

    /// Requests three paths of an origin that names an alternative, and expects the responses of the origin.
    private func expectOrigin(port: Int, host: String = "", proxyPort: Int? = nil) async throws {
        let field = "h2=\"\(host):\(port)\""
        try await withOrigin(naming: { field }, proxyPort: proxyPort) { transport, url, origin in
            let bodies = try await texts(["/1", "/2", "/3"], of: url, body: Self.body, over: transport)
            #expect(bodies == ["origin", "origin", "origin"])
            #expect(origin.withLock { $0 } == ["/1  x", "/2  x", "/3  x"])
        }
    }

    @Test("if no server listens at an alternative, the request is sent to the origin")
    func deadPort() async throws {
        let dead = try DeadPort()
        try await expectOrigin(port: dead.port)
    }

    @Test("an alternative that fails is not used again for some time, even if the origin names it again")
    func broken() async throws {
        let connections = Locked(0)
        let server = try await RawServer { _ in connections.withLock { $0 += 1 } }
        try await expectOrigin(port: server.port)
        await server.shutDown()
        #expect(connections.withLock { $0 } == 1)
    }

    @Test("an alternative that does not respond in the TLS handshake is replaced by the origin")
    func silent() async throws {
        let server = try await RawServer { await $0.waitUntilClosed() }
        try await expectOrigin(port: server.port)
        await server.shutDown()
    }

    /// A timeout of a request.
    enum Timeout: CaseIterable { case total, idle, connect, pool }

    @Test(
        "a request with a timeout below 2 s waits for an alternative for half of it, and is then sent to the origin",
        arguments: Timeout.allCases
    )
    func shortTimeout(_ timeout: Timeout) async throws {
        let server = try await RawServer { await $0.waitUntilClosed() }
        let port = server.port
        try await withOrigin(naming: { "h2=\":\(port)\"" }) { transport, url, _ in
            _ = try await texts(["/1"], of: url, over: transport)
            var request = TransportRequest(method: .get, url: url)
            let limit = Duration.milliseconds(1_900)
            switch timeout {
            case .total: request.exchangeTimeout = limit
            case .idle: request.idleTimeout = limit
            case .connect: request.connectTimeout = limit
            case .pool: request.connectionPoolTimeout = limit
            }
            let start = ContinuousClock.now
            #expect(try await SecureExchanges.text(of: transport.send(request)) == "origin")
            #expect(.now - start >= limit / 2)
        }
        await server.shutDown()
    }

    @Test("an alternative at which a request has timed out is not used for the next request")
    func timeout() async throws {
        let server = try await HTTP2Server(tls: identity.serverConfiguration()) { peer in
            // Only the first request gets a response.
            let first = try await peer.request()
            try await peer.send(headers: [(":status", "200")], on: first?.stream ?? 1)
            try await peer.send(data: "alternative", on: first?.stream ?? 1, isEnd: true)
            while try await peer.request() != nil {}
        }
        let port = try #require(server.url().port)
        try await withOrigin(naming: { "h2=\":\(port)\"" }) { transport, url, _ in
            let bodies = try await texts(["/1", "/2"], of: url, over: transport)
            #expect(bodies == ["origin", "alternative"])
            var request = TransportRequest(method: .get, url: url)
            request.exchangeTimeout = .milliseconds(100)
            await #expect {
                _ = try await transport.send(request)
            } throws: { ($0 as? URLError)?.code == .timedOut }
            #expect(try await texts(["/4"], of: url, over: transport) == ["origin"])
        }
        await server.shutDown()
    }

    @Test("an alternative without a certificate of the origin gets no request")
    func certificate() async throws {
        try await withAlternative(try authority.issue(names: ["b.test"])) { port, alternative in
            try await expectOrigin(port: port, host: "b.test")
            #expect(alternative.withLock { $0.isEmpty })
        }
    }

    @Test("an alternative that does not negotiate HTTP/2 gets no request")
    func http1() async throws {
        let server = try await SecureServer(tls: identity.serverConfiguration(), http2: false)
        try await expectOrigin(port: server.port)
        #expect(await server.waitUntilClosed()?.events.isEmpty == true)
        try await server.shutDown()
    }

    @Test("a request that an alternative does not serve (421) is sent to the origin, with its body")
    func misdirected() async throws {
        try await withAlternative(status: "421") { port, alternative in
            try await expectOrigin(port: port)
            #expect(alternative.withLock { $0.count } == 1)
        }
    }

    @Test("an alternative is not used through a proxy (RFC 7838, section 2.4)")
    func proxy() async throws {
        let proxy = try await TestProxy(.http(authorization: nil))
        try await withAlternative { port, alternative in
            try await expectOrigin(port: port, proxyPort: proxy.port)
            #expect(alternative.withLock { $0.isEmpty })
        }
        let events = try await proxy.shutDown()
        #expect(!events.isEmpty)
    }
}
#endif
