#if NIO && !canImport(Darwin)
import Foundation
import TestServers
import TestSupport
import Testing

@testable import MoyaHTTP
@testable import MoyaHTTPTransportCore
@testable import MoyaURLSessionTransport

@Suite("A transport that passes whole messages carries WebSockets", .timeLimit(.minutes(5)))
struct MessageWebSocketTests {
    private typealias Frame = WebSocketServer.Frame

    @Test("URLSession gets the request without the fields of the handshake that it makes itself")
    func request() async throws {
        let answer: @Sendable (RequestHead) -> WebSocketServer.Answer = { _ in
            .open(["Sec-WebSocket-Protocol": "v2", "X-Server": "test"])
        }
        let server = try await WebSocketServer(answer: answer) { try await $0.echo() }
        let transport = MessageTransport()
        try await withSession(over: transport) { session in
            var request = URLRequest(url: server.url("/a%20b?c=d"))
            request.setValue("Bearer secret", forHTTPHeaderField: "Authorization")
            let socket = try await session.webSocket(
                for: request,
                options: WebSocketOptions(subprotocols: ["v1", "v2"])
            )
            #expect(socket.subprotocol == "v2")
            #expect(socket.response.statusCode == 101)
            #expect(socket.response.headers.first { $0.name.rawName == "X-Server" }?.value == "test")
            #expect(!socket.isCompressed)
            try await socket.close()
            let sent = try #require(transport.requests.withLock { $0.first })
            #expect(sent.url == server.url("/a%20b?c=d"))
            #expect(sent.value(forHTTPHeaderField: "Authorization") == "Bearer secret")
            #expect(sent.value(forHTTPHeaderField: "Sec-WebSocket-Protocol") == "v1, v2")
            let names = (sent.allHTTPHeaderFields ?? [:]).keys.map { $0.lowercased() }
            let own = [
                "sec-websocket-key", "sec-websocket-version", "sec-websocket-extensions", "connection", "upgrade",
            ]
            #expect(own.allSatisfy { !names.contains($0) })
        }
        await server.shutDown()
    }

    @Test(
        "the schemes of HTTP become those of WebSockets, whatever their case",
        arguments: [
            ("http://a:1/b?c#d", "ws://a:1/b?c#d"), ("HTTPS://a/%2F", "wss://a/%2F"),
            ("https://[::1]:1/", "wss://[::1]:1/"),
        ]
    )
    func schemes(url: String, expected: String) throws {
        let url = try #require(URL(string: url))
        let request = URLRequest(webSocket: TransportRequest(method: .get, url: url), timeout: 1)
        #expect(request.url?.absoluteString == expected)
    }

    @Test("a refusal is an error with the response of the server, and a redirect is followed")
    func refused() async throws {
        let answer: @Sendable (RequestHead) -> WebSocketServer.Answer = { request in
            switch request.target {
            case "/from": .refuse(302, ["Location": "/to"])
            case "/to": .open()
            default: .refuse(403, ["X-Reason": "closed"], body: "no")
            }
        }
        try await withWebSocketServer(carrying: .messages, answer: answer) {
            try await $0.echo()
        } test: { session, server in
            let error = await #expect(throws: WebSocketUpgradeError.self) { try await session.open(server) }
            #expect(error?.error == .upgradeRefused(status: 403))
            #expect(error?.response.headers.first { $0.name.rawName == "X-Reason" }?.value == "closed")
            let socket = try await session.open(server, "/from")
            try await socket.send(.text("a"))
            #expect(try await socket.receive() == .text("a"))
            try await socket.close()
        }
    }

    @Test("a server that nobody can reach is an error of the network")
    func unreachable() async throws {
        let server = try await WebSocketServer { _ in }
        await server.shutDown()
        try await withSession(over: MessageTransport()) { session in
            let error = await #expect(throws: URLError.self) { try await session.open(server) }
            #expect(error?.code == .cannotConnectToHost)
        }
    }

    @Test("a message above the limit fails after the messages before it, and the server gets the code 1009")
    func limit() async throws {
        let frames = Reports<Frame?>()
        try await withWebSocketServer(carrying: .messages) { peer in
            try await peer.send(.binary(Data(count: 10)), .binary(Data(count: 11)))
            frames.add(try await peer.readClose())
        } test: { session, server in
            let options = WebSocketOptions(compression: nil, maximumMessageSize: 10)
            let socket = try await session.open(server, "/", options)
            #expect(try await socket.receive() == .data(Data(count: 10)))
            let error = await #expect(throws: URLError.self) { try await socket.receive() }
            #expect(error?.code == .dataLengthExceedsMaximum)
            #expect(await frames.next() == .close(1009))
        }
    }

    @Test("a message may be larger than a frame", arguments: [1, 1_000])
    func frameLimit(size: Int) async throws {
        try await withWebSocketServer(carrying: .messages) {
            try await $0.echo()
        } test: { session, server in
            let socket = try await session.open(server, "/", WebSocketOptions(maximumFrameSize: size))
            for message in [WebSocketMessage.text("世界"), .data(Data(count: 5_000)), .text("")] {
                try await socket.send(message)
                #expect(try await socket.receive() == message)
            }
            try await socket.close()
        }
    }

    @Test("a request that is no GET cannot open a WebSocket")
    func method() async throws {
        var request = TransportRequest(method: .post, url: try #require(URL(string: "http://127.0.0.1:9/")))
        request.upgrade = ProtocolUpgrade(to: "websocket", sending: .data(Data()))
        let transport = URLSessionTransport(configuration: .ephemeral)
        await #expect(throws: RequestValidationError.invalidUpgrade) { try await transport.send(request) }
        await transport.shutdown()
    }

    @Test("a server that does not answer pings is detected")
    func silent() async throws {
        let release = Promise<Void>()
        try await withWebSocketServer(carrying: .messages) { _ in
            await release.wait()
        } test: { session, server in
            let keepAlive = WebSocketKeepAlive(interval: .milliseconds(20), timeout: .milliseconds(20))
            let socket = try await session.open(server, "/", WebSocketOptions(compression: nil, keepAlive: keepAlive))
            await #expect(throws: WebSocketError.peerIsSilent(timeout: .milliseconds(20))) {
                try await socket.receive()
            }
            release.fulfill(())
        }
    }

    @Test("while the application does not read, the server cannot send more than the buffers hold")
    func backpressure() async throws {
        let written = Locked(0)
        let size = 1_000_000
        try await withWebSocketServer(carrying: .messages) { peer in
            for _ in 0..<100 {
                try await peer.send(.binary(Data(count: size)))
                written.withLock { $0 += 1 }
            }
            _ = try await peer.echo()
        } test: { session, server in
            let socket = try await session.open(server)
            // The first message has arrived, and the rest waits: the server's count no longer changes.
            #expect(try await socket.receive()?.bytes.count == size)
            var (count, unchanged) = (-1, 0)
            while unchanged < 20 {
                try await Task.sleep(for: .milliseconds(10))
                let current = written.withLock { $0 }
                (count, unchanged) = (current, current == count ? unchanged + 1 : 0)
            }
            #expect(count < 50)
            for _ in 1..<100 { #expect(try await socket.receive()?.bytes.count == size) }
            try await socket.close()
        }
    }

    @Test("releasing a WebSocket ends its connection")
    func release() async throws {
        let ended = Promise<Void>()
        try await withWebSocketServer(carrying: .messages) { peer in
            defer { ended.fulfill(()) }
            try await peer.send(.text("a"))
            while try await peer.read() != nil {}
        } test: { session, server in
            do {
                let socket = try await session.open(server)
                #expect(try await socket.receive() == .text("a"))
            }
            await ended.wait()
        }
    }

    @Test("a Foundation without WebSockets is an error of the request, and other requests go on")
    func foundation() async throws {
        let server = try await WebSocketServer(answer: { $0.target == "/plain" ? .refuse(200, body: "a") : .open() }) {
            try await $0.echo()
        }
        try await withSession(over: URLSessionTransport(configuration: .ephemeral)) { session in
            do {
                // A Foundation with another libcurl has them.
                let socket = try await session.open(server)
                try await socket.send(.text("a"))
                #expect(try await socket.receive() == .text("a"))
                try await socket.close()
            } catch let error as URLError {
                #expect(error.code == .unsupportedURL)
                #expect("\(error)".contains("WebSockets"))
            }
            let plain = try #require(URL(string: "http://127.0.0.1:\(server.port)/plain"))
            #expect(try await session.data(for: URLRequest(url: plain)).data == Data("a".utf8))
        }
        await server.shutDown()
    }

    @Test("an upgrade to another protocol is refused")
    func otherProtocol() async throws {
        var request = TransportRequest(method: .get, url: try #require(URL(string: "http://127.0.0.1:9/")))
        request.upgrade = ProtocolUpgrade(to: "chat", sending: .data(Data()))
        let transport = URLSessionTransport(configuration: .ephemeral)
        await #expect(throws: RequestValidationError.upgradeNotSupported) { try await transport.send(request) }
        await transport.shutdown()
    }
}
#endif
