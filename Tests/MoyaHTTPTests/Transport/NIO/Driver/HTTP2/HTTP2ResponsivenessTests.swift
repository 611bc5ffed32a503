#if NIO && !canImport(Darwin)
import Foundation
import FoundationNetworking
import TestServers
import Testing

@testable import MoyaHTTP

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
}
#endif
