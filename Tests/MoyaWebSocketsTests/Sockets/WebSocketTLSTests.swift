#if NIO && !canImport(Darwin)
import Foundation
import TestServers
import TestSupport
import Testing

@testable import MoyaHTTP

@Suite("WebSockets over TLS work with IPv4 and IPv6, over HTTP/1.1 and HTTP/2", .timeLimit(.minutes(5)))
struct WebSocketTLSTests {
    private typealias Frame = WebSocketServer.Frame

    /// The loopback addresses of the machine; containers may have no IPv6.
    static let hosts =
        ["127.0.0.1"]
        + ((try? String(contentsOfFile: "/proc/net/if_inet6", encoding: .utf8))?.contains("00000001 01 80") == true
            ? ["::1"] : [])
    static let versions = ["HTTP/1.1", "HTTP/2"]

    /// Runs a test with a server at an address, and a session that trusts its authority.
    private static func run(
        _ host: String,
        _ version: String,
        _ serve: @escaping @Sendable (WebSocketServer.Peer) async throws -> Void,
        test: (Session, URL) async throws -> Void
    ) async throws {
        let authority = try TestAuthority()
        let addresses: [[UInt8]] = [[127, 0, 0, 1], Array(repeating: 0, count: 15) + [1]]
        let tls = try authority.issue(names: [], addresses: addresses).serverConfiguration()
        let server =
            version == "HTTP/2"
            ? try await WebSocketServer(host: host, overHTTP2: tls, serve)
            : try await WebSocketServer(host: host, tls: tls, serve)
        try await withSession(over: transport(trusting: authority)) { session in
            try await test(session, try url(host, server.port))
        }
        await server.shutDown()
    }

    private static func transport(trusting authority: TestAuthority) throws -> NIOTransport {
        let manager = ServerTrustManager(
            trustedRoots: [try Certificate(der: authority.root)],
            includesSystemRoots: false
        )
        return try NIOTransport(connection: TransportConfiguration(serverTrustManager: manager))
    }

    private static func url(_ host: String, _ port: Int) throws -> URL {
        try #require(URL(string: "wss://\(host.contains(":") ? "[\(host)]" : host):\(port)/chat"))
    }

    @Test("messages are echoed, and the application closes the WebSocket", arguments: hosts, versions)
    func echo(host: String, version: String) async throws {
        let heads = Reports<RequestHead>()
        try await Self.run(host, version) { peer in
            heads.add(peer.request)
            try await peer.echo()
        } test: { session, url in
            let socket = try await session.webSocket(for: URLRequest(url: url), options: .plain)
            let head = try #require(await heads.next())
            let authority = try #require(url.absoluteString.split(separator: "/").dropFirst().first)
            #expect(head[version == "HTTP/2" ? ":authority" : "host"] == String(authority))
            #expect(head.target == "/chat")
            #expect(socket.response.info?.httpVersion == version)
            let messages: [WebSocketMessage] = [.text("Grüße"), .data(Pattern().bytes(30_000)), .text("")]
            for message in messages {
                try await socket.send(message)
                #expect(try await socket.receive() == message)
            }
            try await socket.close(code: .goingAway)
            #expect(socket.closeCode == .goingAway)
        }
    }

    @Test("the server closes the WebSocket, and then TLS", arguments: hosts, versions)
    func closedByServer(host: String, version: String) async throws {
        let answers = Reports<Frame?>()
        try await Self.run(host, version) { peer in
            try await peer.send(.text("last"), .close(1001, "bye"))
            answers.add(try await peer.readClose())
        } test: { session, url in
            let socket = try await session.webSocket(for: URLRequest(url: url), options: .plain)
            #expect(try await socket.receive() == .text("last"))
            #expect(try await socket.receive() == nil)
            #expect(socket.closeCode == .goingAway && socket.closeReason == "bye")
            #expect(await answers.next() == .close(1001))
        }
    }

    @Test(
        "a connection that ends without the alert of TLS is lost, between frames and inside one",
        arguments: hosts,
        versions
    )
    func truncated(host: String, version: String) async throws {
        for isReset in [false, true] {
            try await Self.run(host, version) { peer in
                try await peer.send(.text("a"))
                if peer.request.target == "/chat?inside" { try await peer.send(Data([0x81, 5, 0x61])) }
                // The client has read the text.
                _ = try await peer.read()
                try await peer.writer.closeWithoutAlert(reset: isReset)
            } test: { session, url in
                for suffix in ["", "?inside"] {
                    let url = try #require(URL(string: url.absoluteString + suffix))
                    let socket = try await session.webSocket(for: URLRequest(url: url), options: .plain)
                    #expect(try await socket.receive() == .text("a"))
                    try await socket.send(.text("go"))
                    let error = await #expect(throws: URLError.self) { try await socket.receive() }
                    #expect(error?.code == .networkConnectionLost)
                    #expect(socket.closeCode == .abnormal)
                    // The end of a lost connection needs no time.
                    try await socket.close()
                }
            }
        }
    }

    @Test("a close frame counts, even if the alert of TLS does not follow", arguments: hosts, versions)
    func closeFrameWithoutAlert(host: String, version: String) async throws {
        try await Self.run(host, version) { peer in
            try await peer.send(.text("a"), .close(1000, "done"))
            try await peer.writer.closeWithoutAlert()
        } test: { session, url in
            let socket = try await session.webSocket(for: URLRequest(url: url), options: .plain)
            #expect(try await socket.receive() == .text("a"))
            #expect(try await socket.receive() == nil)
            #expect(socket.closeCode == .normal && socket.closeReason == "done")
            try await socket.close()
        }
    }

    @Test("a server that closes the connection in the handshake of TLS is an error", arguments: hosts)
    func closedInHandshake(host: String) async throws {
        let server = try await RawServer(host: host) { connection in
            _ = try await connection.read()
            try await connection.writer.close()
        }
        try await withSession(over: Self.transport(trusting: try TestAuthority())) { session in
            let request = URLRequest(url: try Self.url(host, server.port))
            let error = await #expect(throws: URLError.self) { try await session.webSocket(for: request) }
            #expect(error?.code == .secureConnectionFailed)
        }
        await server.shutDown()
    }

    @Test("cancelling the task ends a handshake of TLS", arguments: hosts)
    func cancelledInHandshake(host: String) async throws {
        let (begun, ended) = (Promise<Void>(), Promise<Void>())
        let server = try await RawServer(host: host) { connection in
            _ = try await connection.read()
            begun.fulfill(())
            await connection.waitUntilClosed()
            ended.fulfill(())
        }
        try await withSession(over: Self.transport(trusting: try TestAuthority())) { session in
            let request = URLRequest(url: try Self.url(host, server.port))
            let task = Task { try await session.webSocket(for: request) }
            await begun.wait()
            task.cancel()
            let error = await #expect(throws: URLError.self) { _ = try await task.value }
            #expect(error?.code == .cancelled)
            await ended.wait()
        }
        await server.shutDown()
    }
}
#endif
