#if NIO && !canImport(Darwin)
import Foundation
import FoundationNetworking
import NIOCore
import TestServers
import Testing

@testable import MoyaHTTP

@Suite("A session uses TLS for hosts that require it, over real connections", .timeLimit(.minutes(5)))
struct StrictTransportSecurityLiveTests {
    private static let hosts = ["a.test", "x.a.test"]

    /// Runs a test with a server that speaks only TLS, and whose responses have a policy.
    private func withServer(
        _ identity: TestIdentity,
        policy: String = "max-age=100",
        _ test: (RawServer, Locked<[String]>) async throws -> Void
    ) async throws {
        let lines = Locked<[String]>([])
        let server = try await RawServer(tls: identity.serverConfiguration()) { connection in
            while let head = try await connection.head() {
                lines.withLock { $0.append("\(head.target) \(head["Host"] ?? "") \(head["Authorization"] ?? "")") }
                let fields = ["Strict-Transport-Security: \(policy)", "Content-Length: 0", "", ""]
                let redirect = head.target.hasPrefix("/to?") ? String(head.target.dropFirst(4)) : nil
                let start = redirect.map { ["HTTP/1.1 302 Found", "Location: \($0)"] } ?? ["HTTP/1.1 200 OK"]
                try await connection.writer.write((start + fields).joined(separator: "\r\n"))
            }
        }
        do {
            try await test(server, lines)
        } catch {
            await server.shutDown()
            throw error
        }
        await server.shutDown()
    }

    /// Runs a test with a session whose transport trusts an authority, and finds the hosts of the tests on this machine.
    private func withSession(
        trusting authority: TestAuthority,
        _ store: StrictTransportSecurityStore?,
        _ test: (Session) async throws -> Void
    ) async throws {
        let manager = ServerTrustManager(
            trustedRoots: [try Certificate(der: authority.root)],
            includesSystemRoots: false
        )
        var configuration = TransportConfiguration(serverTrustManager: manager)
        for host in Self.hosts { configuration.dnsOverride[host] = "127.0.0.1" }
        let transport = try NIOTransport(connection: configuration)
        try await transport.shutDown {
            let options = SessionOptions(strictTransportSecurity: store)
            try await test(Session(transport: transport, configuration: .ephemeral, options: options))
        }
    }

    private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

    private func error(of body: () async throws -> SessionResponse) async throws -> URLError {
        do {
            let response = try await body()
            Issue.record("There is a response: \(response.statusCode)")
            return URLError(.unknown)
        } catch {
            return try #require(error as? URLError)
        }
    }

    @Test("after a response with a policy, any http URL of the host and its subdomains is requested over TLS")
    func upgrade() async throws {
        let authority = try TestAuthority()
        let identity = try authority.issue(names: Self.hosts)
        try await withServer(identity, policy: "max-age=100; includeSubDomains") { server, lines in
            let port = server.port
            let store = StrictTransportSecurityStore()
            try await withSession(trusting: authority, store) { session in
                _ = try await session.data(for: URLRequest(url: url("https://a.test:\(port)/1")))
                for (number, host) in ["a.test", "A.Test", "a.test.", "x.a.test"].enumerated() {
                    let response = try await session.data(
                        for: URLRequest("GET", url("http://\(host):\(port)/\(number + 2)"), ["Authorization": "t"])
                    )
                    #expect(response.url?.absoluteString == "https://\(host):\(port)/\(number + 2)")
                }
            }
            #expect(lines.withLock { $0.map { $0.prefix(2) } } == ["/1", "/2", "/3", "/4", "/5"])
            #expect(lines.withLock { $0.dropFirst().allSatisfy { $0.hasSuffix(" t") } })
            // The same URL without a store is sent without TLS, to which this server sends no response.
            try await withSession(trusting: authority, nil) { session in
                _ = try await error { try await session.data(for: URLRequest(url: url("http://a.test:\(port)/6"))) }
            }
            #expect(lines.withLock { $0.count } == 5)
        }
    }

    @Test("a redirect from https to http of the same host is followed over TLS with its credentials")
    func redirect() async throws {
        let authority = try TestAuthority()
        try await withServer(try authority.issue(names: Self.hosts)) { server, lines in
            let base = "a.test:\(server.port)"
            try await withSession(trusting: authority, StrictTransportSecurityStore()) { session in
                let response = try await session.data(
                    for: URLRequest("GET", url("https://\(base)/to?http://\(base)/end"), ["Authorization": "t"])
                )
                #expect(response.url?.absoluteString == "https://\(base)/end")
            }
            #expect(lines.withLock { $0 } == ["/to?http://\(base)/end \(base) t", "/end \(base) t"])
            // Without a store the redirect is refused.
            try await withSession(trusting: authority, nil) { session in
                await expectRedirectError(.insecure, .appTransportSecurityRequiresSecureConnection) {
                    _ = try await session.data(for: URLRequest(url: url("https://\(base)/to?http://\(base)/end")))
                }
            }
        }
    }

    @Test("a server at an IP address sets no policy (RFC 6797, section 8.1.1)")
    func address() async throws {
        let authority = try TestAuthority()
        try await withServer(try authority.issue()) { server, lines in
            let store = StrictTransportSecurityStore()
            try await withSession(trusting: authority, store) { session in
                _ = try await session.data(for: URLRequest(url: url("https://127.0.0.1:\(server.port)/")))
            }
            #expect(lines.withLock { $0.count } == 1)
            #expect(store.policies.isEmpty)
        }
    }

    @Test("a server with a bad certificate sets no policy, and an upgraded request fails as one to https")
    func certificate() async throws {
        let authority = try TestAuthority()
        try await withServer(try TestAuthority.selfSigned(names: Self.hosts)) { server, lines in
            let store = StrictTransportSecurityStore()
            try await withSession(trusting: authority, store) { session in
                let url = try url("https://a.test:\(server.port)/")
                let expected = try await error { try await session.data(for: URLRequest(url: url)) }
                #expect(store.policies.isEmpty)

                store.record(
                    TransportResponse(status: 200, headers: [.strictTransportSecurity: "max-age=100"]),
                    from: url
                )
                let http = try self.url("http://a.test:\(server.port)/")
                let upgraded = try await error { try await session.data(for: URLRequest(url: http)) }
                #expect(upgraded.code == expected.code)
                #expect(upgraded.localizedDescription == expected.localizedDescription)
                #expect(upgraded.failingURL == url)
            }
            #expect(lines.withLock { $0.isEmpty })
        }
    }

    @Test("a server without TLS gets no request to a host that requires TLS")
    func plainServer() async throws {
        // The server closes the connection after the first bytes, which begin a TLS handshake.
        let received = Locked<[[UInt8]]>([])
        let server = try await RawServer { connection in
            guard let bytes = try await connection.read() else { return }
            received.withLock { $0.append(Array(bytes.readableBytesView)) }
        }
        let store = StrictTransportSecurityStore(
            policies: [StrictTransportSecurityPolicy(host: "a.test", expires: .distantFuture)]
        )
        try await withSession(trusting: try TestAuthority(), store) { session in
            let request = URLRequest("GET", try url("http://a.test:\(server.port)/"), ["Authorization": "secret"])
            _ = try await error { try await session.data(for: request) }
        }
        await server.shutDown()
        let all = received.withLock { $0 }
        #expect(!all.isEmpty && all.allSatisfy { $0.first == 0x16 })
        #expect(all.allSatisfy { !String(decoding: $0, as: UTF8.self).contains("secret") })
    }
}
#endif
