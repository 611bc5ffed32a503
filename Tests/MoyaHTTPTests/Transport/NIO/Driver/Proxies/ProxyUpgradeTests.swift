#if NIO && !canImport(Darwin)
import Foundation
import FoundationNetworking
import HTTPTypes
import TestServers
import Testing

@testable import MoyaHTTP

@Suite("A request for an upgrade goes through a proxy in a tunnel (RFC 6455, section 4.1)", .timeLimit(.minutes(5)))
struct ProxyUpgradeTests {
    enum Kind: Sendable, CaseIterable { case http, httpWithLogin, socks }

    private static func proxy(_ kind: Kind) async throws -> (TestProxy, TransportProxy) {
        let login = "Basic " + Data("user:pass".utf8).base64EncodedString()
        let proxy = try await TestProxy(
            kind == .socks ? .socks : .http(authorization: kind == .httpWithLogin ? login : nil)
        )
        let credential = TransportProxy.Credential(user: "user", password: "pass")
        return switch kind {
        case .http: (proxy, .http(host: "127.0.0.1", port: proxy.port))
        case .httpWithLogin: (proxy, .http(host: "127.0.0.1", port: proxy.port, credential: credential))
        case .socks: (proxy, .socks(host: "127.0.0.1", port: proxy.port))
        }
    }

    @Test("an upgrade at an http URL uses a tunnel, and other requests do not", arguments: Kind.allCases)
    func http(kind: Kind) async throws {
        let server = try await RawServer { connection in
            while let head = try await connection.head() {
                guard head["upgrade"] == nil else {
                    #expect(head.target == "/chat" && head["proxy-authorization"] == nil)
                    try await connection.writer.write(RawConnection.switching)
                    return try await connection.echo()
                }
                try await connection.writer.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            }
        }
        let (proxy, address) = try await Self.proxy(kind)
        var configuration = TransportConfiguration()
        configuration.proxy = address
        let transport = try NIOTransport(connection: configuration)
        let url = try #require(URL(string: "http://h.test:\(server.url().port ?? 0)/chat"))
        try await transport.shutDown(after: {
            let ordinary = try await transport.send(TransportRequest(method: .get, url: url))
            try await expectEqual(ordinary.collected(), Data("ok".utf8))
            let output = UpgradeOutput()
            let response = try await transport.send(.upgrade(url, sending: output))
            #expect(response.status == 101 && response.isUpgraded)
            var input = UpgradeInput(TransportBodyStream(of: response))
            output.send("a")
            try await expectEqual(input.text(1), "a")
        })
        await server.shutDown()
        let events = try await proxy.shutDown()
        let host = "h.test:\(url.port ?? 0)"
        let tunnels = events.filter { if case .tunnel(host, _) = $0 { true } else { false } }
        let forwarded = events.filter { if case .forwarded = $0 { true } else { false } }
        // Through SOCKS, the upgrade uses the idle connection of the other request.
        #expect(tunnels.count == 1)
        #expect(forwarded.count == (kind == .socks ? 0 : 1))
    }

    @Test("an upgrade at an https URL uses the tunnel of other requests, over HTTP/2", arguments: [true, false])
    func https(allowsUpgrades: Bool) async throws {
        let authority = try TestAuthority()
        let connections = Locked(0)
        let server = try await HTTP2Server(
            tls: try authority.issue().serverConfiguration(),
            settings: allowsUpgrades ? [(8, 1)] : [],
            http1: { connection in
                guard try await connection.acceptUpgrade() != nil else { return }
                try await connection.writer.write("hello")
                try await connection.echo()
            }
        ) { peer in
            connections.withLock { $0 += 1 }
            while let request = try await peer.request() {
                if request[":protocol"] == nil {
                    try await peer.respond(body: request.path, on: request.stream)
                } else {
                    try await peer.send(headers: [(":status", "200")], on: request.stream)
                    try await peer.send(data: "hello", on: request.stream)
                }
            }
        }
        let (proxy, address) = try await Self.proxy(.http)
        var configuration = try TransportConfiguration(trusting: authority)
        configuration.proxy = address
        let transport = try NIOTransport(connection: configuration)
        try await transport.shutDown(after: {
            try await expectEqual(HTTP2Live.text(transport, server.url("/a")), "/a")
            let response = try await transport.send(.upgrade(server.url(), sending: UpgradeOutput()))
            #expect(response.isUpgraded)
            var input = UpgradeInput(TransportBodyStream(of: response))
            try await expectEqual(input.text(5), "hello")
        })
        await server.shutDown()
        let events = try await proxy.shutDown()
        #expect(events.count { if case .tunnel = $0 { true } else { false } } == (allowsUpgrades ? 1 : 2))
        #expect(connections.withLock { $0 } == 1)
    }
}
#endif
