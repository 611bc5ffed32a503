#if NIO && !canImport(Darwin)
import Foundation
import FoundationNetworking
import NIOCore
import NIOEmbedded
import TestServers
import Testing

@testable import MoyaHTTP
@testable import MoyaNIOTransport

@Suite("The responsiveness of an HTTP/2 server is checked after a timeout", .timeLimit(.minutes(5)))
struct HTTP2ResponsivenessTests {
    @Test("the next request after a timeout without received bytes uses another HTTP/2 connection")
    func deadConnection() async throws {
        let connections = Locked(0)
        let isLost = Locked(false)
        try await HTTP2Live.run { peer in
            let number = connections.withLock { connections in
                connections += 1
                return connections
            }
            guard number == 1 else { return try await HTTP2Live.echo(peer) }
            guard let first = try await peer.request() else { return }
            try await peer.respond(on: first.stream)
            // The server behaves as if it were unreachable.
            peer.respondsToPings = false
            while let frame = try await peer.frame() {
                if frame.type == RawFrame.Kind.headers { isLost.withLock { $0 = true } }
            }
        } then: { transport, server in
            _ = try await HTTP2Live.text(transport, server.url())
            var request = TransportRequest(method: .get, url: server.url("/lost"))
            request.idleTimeout = .milliseconds(300)
            let lost = request
            // On a busy machine the timeout may pass before the request is sent.
            while !isLost.withLock({ $0 }) {
                await expectEqual(HTTP2Live.code { try await transport.send(lost).status }, .timedOut)
            }
            try await expectEqual(HTTP2Live.text(transport, server.url("/next")), "/next")
            #expect(connections.withLock { $0 } == 2)
        }
    }

    @Test("after a timeout, an HTTP/2 connection whose server responds to a PING is used again")
    func slowServer() async throws {
        let connections = Locked(0)
        let pings = Locked(0)
        try await HTTP2Live.run { peer in
            connections.withLock { $0 += 1 }
            peer.respondsToPings = false
            while let frame = try await peer.frame() {
                switch frame.type {
                case RawFrame.Kind.ping:
                    try await peer.send(RawFrame(RawFrame.Kind.ping, RawFrame.end, 0, frame.payload))
                    pings.withLock { $0 += 1 }
                case RawFrame.Kind.headers where frame.stream != 3:
                    try await peer.respond(on: frame.stream)
                default: break
                }
            }
        } then: { transport, server in
            _ = try await HTTP2Live.text(transport, server.url())
            var request = TransportRequest(method: .get, url: server.url("/slow"))
            request.idleTimeout = .milliseconds(300)
            let slow = request
            await expectEqual(HTTP2Live.code { try await transport.send(slow).status }, .timedOut)
            while pings.withLock({ $0 }) == 0 { try await Task.sleep(for: .milliseconds(1)) }
            // The response to the PING is still in transit. The first connection is usable whether it arrives before these
            // requests or later.
            for _ in 0..<5 { try await expectEqual(HTTP2Live.text(transport, server.url()), "ok") }
            #expect(connections.withLock { $0 } <= 2)
        }
    }

    /// The bytes that a connection receives between a request and its timeout.
    enum Received: CaseIterable { case nothing, interimResponse, otherResponse }

    @Test(
        "a request that times out puts the server in doubt only if its HTTP/2 connection has received nothing since the request",
        arguments: Received.allCases
    )
    func slowEndpoint(received: Received) throws {
        let url = try #require(URL(string: "https://h/"))
        let loop = EmbeddedEventLoop()
        let connector = try ConnectionSettings(.init()).connector(for: try #require(Origin(url)), host: "h")
        let pool = ConnectionPool(connector, on: [loop])
        var doubts: [Bool] = []
        let connection = HTTP2Connection(on: loop, closeNow: {}, fail: { _, _ in }) { event in
            if case .responsivenessChanged(let isResponsive) = event { doubts.append(!isResponsive) }
        }
        let channel = EmbeddedChannel(handler: connection, loop: loop)
        channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 1), promise: nil)
        func receive(_ write: (inout ByteBuffer) -> Void) throws {
            var bytes = ByteBuffer()
            write(&bytes)
            try channel.writeInbound(bytes)
        }
        func run() throws -> Exchange {
            let request = TransportRequest(method: .get, url: url, idleTimeout: .nanoseconds(1))
            let exchange = Exchange(request)
            connection.run(try pool.makeRequest(request, body: .none, exchange: exchange))
            return exchange
        }
        try receive { $0.writeHTTP2Settings([]) }
        let slow = try run()
        let other = try run()
        switch received {
        case .nothing: break
        case .interimResponse:
            // `:status: 103`, with the name of the static table (RFC 7541, section 6.2.2).
            let block = ByteBuffer(bytes: [0x08, 0x03] + Array("103".utf8))
            try receive { $0.writeHTTP2Headers(1, block: block, endStream: false, maximumPayload: 16_384) }
        case .otherResponse:
            let block = ByteBuffer(bytes: [0x88])
            try receive { $0.writeHTTP2Headers(3, block: block, endStream: true, maximumPayload: 16_384) }
        }
        #expect(slow.checkTimeouts(due: slow.elapsed, hasPendingInput: false) == nil)
        #expect(slow.isCarrierSuspect)
        #expect(doubts == (received == .nothing ? [true] : []))
        withExtendedLifetime(other) { connection.close() }
    }
}
#endif
