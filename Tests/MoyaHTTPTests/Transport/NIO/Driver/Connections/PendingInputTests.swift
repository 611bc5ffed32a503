#if NIO && !canImport(Darwin)
import Foundation
import FoundationNetworking
import NIOCore
import NIOEmbedded
import TestServers
import Testing

@testable import MoyaHTTP
@testable import MoyaNIOTransport

@Suite("Requests wait until a connection has read its pending input")
struct PendingInputTests {
    @Test("one timer is set for all requests that wait for pending input, and its delay doubles up to 64 ms")
    func delays() throws {
        let url = try #require(URL(string: "http://h/"))
        let loop = EmbeddedEventLoop()
        let connector = try ConnectionSettings(.init()).connector(for: try #require(Origin(url)), host: "h")
        let request = TransportRequest(method: .get, url: url)
        let outbound = try ConnectionPool(connector, on: [loop])
            .makeRequest(request, body: .none, exchange: Exchange(request))
        let delayed = DelayedRequests(on: loop)
        let count = Locked(0)
        func expectRun(after milliseconds: Int64) {
            count.withLock { $0 = 0 }
            for _ in 0..<2 { delayed.add(outbound) { _ in count.withLock { $0 += 1 } } }
            loop.advanceTime(by: .milliseconds(milliseconds) - .nanoseconds(1))
            #expect(count.withLock { $0 } == 0)
            loop.advanceTime(by: .nanoseconds(1))
            #expect(count.withLock { $0 } == 2)
        }
        for milliseconds: Int64 in [1, 2, 4, 8, 16, 32, 64, 64] { expectRun(after: milliseconds) }
        delayed.restoreDelay()
        expectRun(after: 1)
    }

    @Test("a thousand requests that begin before the event loop reads a PING are sent after it")
    func manyRequests() async throws {
        let (mayPing, ping) = AsyncStream<Void>.makeStream()
        let isSent = DispatchSemaphore(value: 0)
        let authority = try TestAuthority()
        let server = try await HTTP2Server(
            tls: try authority.issue().serverConfiguration(),
            settings: [(identifier: 3, value: 2_000)]
        ) { peer in
            guard let first = try await peer.request() else { return }
            try await peer.respond(on: first.stream)
            for await _ in mayPing { break }
            try await peer.send(RawFrame(RawFrame.Kind.ping, 0, 0, Array(repeating: 1, count: 8)))
            isSent.signal()
            try await HTTP2Live.echo(peer)
        }
        try await ConnectionPool.withOneLoop(to: server.url(), TransportConfiguration(trusting: authority)) {
            pool,
            loop in
            func outbound(_ path: String) throws -> (OutboundRequest, Exchange) {
                let request = TransportRequest(method: .get, url: server.url(path), idleTimeout: .seconds(300))
                let exchange = Exchange(request)
                return (try pool.makeRequest(request, body: .none, exchange: exchange), exchange)
            }
            let (first, firstExchange) = try outbound("/")
            _ = try await firstExchange.perform { pool.start(first) }.collected()
            let started = Locked(0)
            loop.execute {
                // The connection is checked after a pause.
                usleep(10_000)
                ping.yield()
                isSent.wait()
                while started.withLock({ $0 }) < 1_000 { usleep(100) }
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<1_000 {
                    let (request, exchange) = try outbound("/\(number)")
                    group.addTask {
                        let response = try await exchange.perform {
                            pool.start(request)
                            started.withLock { $0 += 1 }
                        }
                        #expect(try await response.collected() == Data("/\(number)".utf8))
                    }
                }
                try await group.waitForAll()
            }
        }
        await server.shutDown()
    }

    @Test("programs that the process starts do not inherit the sockets of connections")
    func sockets() async throws {
        let server = try await RawServer { connection in
            while try await connection.head() != nil {
                try await connection.writer.write("HTTP/1.1 204 No Content\r\n\r\n")
            }
        }
        let transport = NIOTransport()
        try await transport.shutDown(after: {
            let request = TransportRequest(method: .get, url: server.url())
            _ = try await transport.send(request).collected()
            var flags: [CInt] = []
            for name in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
                guard let descriptor = CInt(name), Self.peerPort(of: descriptor) == server.url().port else {
                    continue
                }
                flags.append(fcntl(descriptor, F_GETFD))
            }
            #expect(flags == [FD_CLOEXEC])
        })
        await server.shutDown()
    }

    /// Returns the port to which a socket is connected over IPv4; `nil` for other descriptors.
    private static func peerPort(of descriptor: CInt) -> Int? {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(descriptor, $0, &length) }
        }
        guard result == 0, address.sin_family == sa_family_t(AF_INET) else { return nil }
        return Int(UInt16(bigEndian: address.sin_port))
    }
}
#endif
