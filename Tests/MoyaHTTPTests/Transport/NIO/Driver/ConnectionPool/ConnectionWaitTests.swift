#if NIO && !canImport(Darwin)
import Foundation
import FoundationNetworking
import TestServers
import Testing

@testable import MoyaHTTP
@testable import MoyaHTTPTransportCore
@testable import MoyaNIOTransport

@Suite("The wait for a connection is limited", .timeLimit(.minutes(5)))
struct ConnectionWaitTests {
    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    /// A server that responds after the gate has been opened.
    private static func server(_ gate: Promise<Void>, _ received: Locked<[String]>) async throws -> RawServer {
        try await RawServer { connection in
            while let head = try await connection.head() {
                received.withLock { $0.append(head.target) }
                while gate.value == nil { try await Task.sleep(for: .milliseconds(2)) }
                try await connection.writer.write(ok)
            }
        }
    }

    private static func transport(
        _ change: (inout TransportConfiguration) -> Void = { _ in }
    ) throws -> NIOTransport {
        var configuration = TransportConfiguration()
        configuration.usesSystemProxies = false
        configuration.maximumConnectionsPerHost = 1
        change(&configuration)
        return try NIOTransport(connection: configuration)
    }

    private static func request(
        _ url: URL,
        idle: Duration = .seconds(60),
        total: Duration = .seconds(600)
    ) -> TransportRequest {
        TransportRequest(method: .get, url: url, idleTimeout: idle, exchangeTimeout: total)
    }

    /// Starts a request and waits until the server has received it.
    private static func occupy(
        _ transport: NIOTransport,
        _ url: URL,
        _ received: Locked<[String]>
    ) async throws -> Task<TransportResponse, any Error> {
        while true {
            let isOver = Locked(false)
            let first = Task {
                defer { isOver.withLock { $0 = true } }
                return try await transport.send(request(url))
            }
            try await eventually { received.withLock { !$0.isEmpty } || isOver.withLock { $0 } }
            // On a busy machine the time to wait for a connection may end before the first connection is made.
            if received.withLock({ $0.count }) == 1 { return first }
        }
    }

    @Test("a cancelled request that waits again leaves the pool, even if its exchange knows only the first wait")
    func cancelledAfterReturn() async throws {
        let url = try #require(URL(string: "http://localhost:1/"))
        try await ConnectionPool.withOneLoop(to: url) { pool, loop in
            let gate = DispatchSemaphore(value: 0)
            loop.execute { gate.wait() }
            defer { gate.signal() }
            let exchange = Exchange(Self.request(url))
            let outbound = try pool.makeRequest(Self.request(url), body: .none, exchange: exchange)
            pool.start(outbound)
            let firstCarrier = exchange.state.withLock { $0.carrier }
            // A connection has taken the request and returns it.
            pool.state.withLock { $0.waiting = [:] }
            pool.restart(outbound)
            #expect(pool.state.withLock { $0.waiting.count } == 1)
            exchange.state.withLock { $0.carrier = firstCarrier }
            exchange.cancel()
            #expect(pool.state.withLock { $0.waiting.isEmpty })
        }
    }

    @Test("the wait for a connection does not count as idle time")
    func noIdleTime() async throws {
        for idle in [Duration.seconds(3), .seconds(10), .seconds(30)] {
            let late = try await Self.lateRequests(idle: idle)
            if late.isEmpty { return }
            // On a busy machine the server may respond too late to a received request.
            #expect(late.allSatisfy { $0.isReceived })
        }
        Issue.record("The server does not respond in time.")
    }

    /// Sends requests that wait for a connection longer than their idle time; returns those that time out.
    private static func lateRequests(idle: Duration) async throws -> [(target: String, isReceived: Bool)] {
        let (gate, received) = (Promise<Void>(), Locked<[String]>([]))
        let server = try await Self.server(gate, received)
        let transport = try Self.transport()
        let first = try await Self.occupy(transport, server.url("/first"), received)
        let targets = (0..<20).map { "/waiting/\($0)" }
        let waiting = targets.map { target in
            Task { try await transport.send(Self.request(server.url(target), idle: idle)) }
        }
        // A server that does not respond shows that the idle time of the others has passed.
        let never = try await Self.server(Promise(), Locked([]))
        let error = await #expect(throws: URLError.self) {
            try await transport.send(Self.request(never.url(), idle: idle + .seconds(1)))
        }
        #expect(error?.code == .timedOut)
        #expect(error?.connectionWait == nil, "it had a connection")
        gate.fulfill(())
        _ = try await first.value
        var late: [(String, Bool)] = []
        for (target, task) in zip(targets, waiting) {
            do {
                #expect(try await task.value.status == 200)
            } catch let error as URLError where error.code == .timedOut {
                late.append((target, received.withLock { $0.contains(target) }))
            }
        }
        if late.isEmpty { #expect(received.withLock { $0.count } == 21) }
        await transport.shutdown()
        await never.shutDown()
        await server.shutDown()
        return late
    }

    @Test("the wait for a connection has a limit, and an error that names the resource")
    func limit() async throws {
        let (gate, received) = (Promise<Void>(), Locked<[String]>([]))
        let server = try await Self.server(gate, received)
        let transport = try Self.transport { $0.connectionPoolTimeout = .milliseconds(50) }
        let first = try await Self.occupy(transport, server.url("/first"), received)
        let url = server.url("/waiting?token=secret")
        let error = await #expect(throws: URLError.self) { try await transport.send(Self.request(url)) }
        #expect(error?.code == .timedOut)
        #expect(error?.connectionWait?.resource == .connection(of: 1))
        #expect(error?.connectionWait?.server == "http://127.0.0.1:\(server.port)")
        #expect(error?.connectionWait.map { $0.waited >= .milliseconds(50) } == true)
        #expect(error?.timeout == RequestTimeoutError(kind: .pool, limit: .milliseconds(50)))
        let text = try #require(error?.localizedDescription)
        #expect(text.contains("for the only connection to http://127.0.0.1:\(server.port), and was not sent."))
        gate.fulfill(())
        _ = try await first.value
        #expect(received.withLock { $0 } == ["/first"], "it was not sent")
        // The connection stays usable.
        #expect(try await transport.send(Self.request(server.url("/next"))).status == 200)
        await transport.shutdown()
        await server.shutDown()
    }

    @Test("the wait for a connection ends with the exchange timeout, and the error names the reason of the wait")
    func totalTime() async throws {
        let (gate, received) = (Promise<Void>(), Locked<[String]>([]))
        let server = try await Self.server(gate, received)
        let transport = try Self.transport()
        let first = try await Self.occupy(transport, server.url("/first"), received)
        let url = server.url("/waiting")
        let error = await #expect(throws: URLError.self) {
            try await transport.send(Self.request(url, total: .milliseconds(50)))
        }
        #expect(error?.code == .timedOut)
        #expect(error?.timeout == RequestTimeoutError(kind: .attempt, limit: .milliseconds(50)))
        #expect(error?.connectionWait?.resource == .connection(of: 1))
        gate.fulfill(())
        _ = try await first.value
        await transport.shutdown()
        await server.shutDown()
    }

    @Test("the limit of a request replaces the transport's limit of the wait for a connection")
    func limitOfRequest() async throws {
        let (gate, received) = (Promise<Void>(), Locked<[String]>([]))
        let server = try await Self.server(gate, received)
        let transport = try Self.transport { $0.connectionPoolTimeout = .seconds(600) }
        let first = try await Self.occupy(transport, server.url("/first"), received)
        var request = Self.request(server.url("/waiting"))
        request.connectionPoolTimeout = .milliseconds(50)
        let error = await #expect(throws: URLError.self) { try await transport.send(request) }
        #expect(error?.timeout == RequestTimeoutError(kind: .pool, limit: .milliseconds(50)))
        #expect(error?.connectionWait?.resource == .connection(of: 1))
        gate.fulfill(())
        _ = try await first.value
        #expect(received.withLock { $0 } == ["/first"], "it was not sent")
        await transport.shutdown()
        await server.shutDown()
    }

    @Test("the connect timeout of a request ends its wait, and not the connection attempt for which another one waits")
    func connectTimeoutOfRequest() async throws {
        // The server accepts connections, and responds to the TLS handshake when the gate is open.
        let gate = Promise<Void>()
        let connections = Locked(0)
        let server = try await RawServer { connection in
            connections.withLock { $0 += 1 }
            await gate.wait()
        }
        let url = try #require(URL(string: "https://localhost:\(server.port)/"))
        let transport = try Self.transport {
            $0.connectTimeout = .seconds(600)
            $0.startsSecondAttempt = false
        }
        let patient = Task { try await transport.send(Self.request(url)) }
        try await eventually { connections.withLock { $0 == 1 } }
        for _ in 0..<3 {
            var request = Self.request(url)
            request.connectTimeout = .milliseconds(50)
            let error = await #expect(throws: URLError.self) { try await transport.send(request) }
            #expect(error?.timeout == RequestTimeoutError(kind: .connect, limit: .milliseconds(50)))
            #expect(error?.connectionWait?.resource == .attempt)
        }
        #expect(connections.withLock { $0 } == 1)
        gate.fulfill(())
        // The server closes the connection within the handshake.
        let error = await #expect(throws: URLError.self) { try await patient.value }
        #expect(error?.code == .secureConnectionFailed || error?.code == .networkConnectionLost)
        await transport.shutdown()
        await server.shutDown()
    }

    @Test("the limit of the wait for a connection includes the wait for a stream over HTTP/2")
    func streams() async throws {
        let tls = try TestAuthority.selfSigned().serverConfiguration()
        let (gate, received) = (Promise<Void>(), Locked<[String]>([]))
        let server = try await HTTP2Server(tls: tls, settings: [(3, 1)]) { peer in
            while let request = try await peer.request() {
                received.withLock { $0.append(request.path) }
                // Two connections wait for the gate.
                while request.path == "/first", gate.value == nil { try await Task.sleep(for: .milliseconds(1)) }
                try await peer.respond(on: request.stream)
            }
        }
        let trust = ServerTrustManager(
            allHostsMustBeEvaluated: false,
            evaluators: ["localhost": DisabledTrustEvaluator()]
        )
        var configuration = TransportConfiguration(serverTrustManager: trust)
        configuration.maximumConnectionsPerHost = 1
        configuration.connectionPoolTimeout = .milliseconds(500)
        let limited = try NIOTransport(connection: configuration)
        configuration.connectionPoolTimeout = nil
        let unlimited = try NIOTransport(connection: configuration)
        let first = try await Self.occupy(limited, server.url("/first"), received)
        let error = await #expect(throws: URLError.self) {
            try await limited.send(Self.request(server.url("/waiting"), idle: .milliseconds(100)))
        }
        #expect(error?.connectionWait?.resource == .stream(of: 1))
        let other = Task { try await unlimited.send(Self.request(server.url("/first"))) }
        try await eventually { received.withLock { $0.count } == 2 }
        let url = server.url("/waiting")
        let waiting = Task { try await unlimited.send(Self.request(url)) }
        gate.fulfill(())
        #expect(try await first.value.status == 200)
        #expect(try await other.value.status == 200)
        #expect(try await waiting.value.status == 200)
        #expect(received.withLock { $0 } == ["/first", "/first", "/waiting"])
        await limited.shutdown()
        await unlimited.shutdown()
        await server.shutDown()
    }

    @Test(
        "the wait for a first connection is limited by the connect timeout and the idle timeout",
        arguments: [true, false]
    )
    func neverConnected(hasConnectTimeout: Bool) async throws {
        // The server accepts connections and does not respond to the TLS handshake.
        let server = try await RawServer { await $0.waitUntilClosed() }
        let url = try #require(URL(string: "https://localhost:\(server.port)/"))
        let transport = try Self.transport { $0.connectTimeout = hasConnectTimeout ? .milliseconds(50) : nil }
        let tasks = (0..<5).map { _ in
            Task {
                try await transport.send(
                    Self.request(url, idle: hasConnectTimeout ? .seconds(600) : .milliseconds(50))
                )
            }
        }
        for task in tasks {
            let error = await #expect(throws: URLError.self) { try await task.value }
            #expect(error?.code == .timedOut)
            #expect(error?.connectionWait?.resource == (hasConnectTimeout ? nil : .attempt))
            let kind: RequestTimeoutError.Kind = hasConnectTimeout ? .connect : .idle
            #expect(error?.timeout == RequestTimeoutError(kind: kind, limit: .milliseconds(50)))
        }
        await transport.shutdown()
        await server.shutDown()
    }

    @Test("the wait for a server that allows no stream is limited by the idle timeout")
    func noStreams() async throws {
        let tls = try TestAuthority.selfSigned().serverConfiguration()
        let server = try await HTTP2Server(tls: tls, settings: [(3, 0)]) { _ in }
        let trust = ServerTrustManager(
            allHostsMustBeEvaluated: false,
            evaluators: ["localhost": DisabledTrustEvaluator()]
        )
        let transport = try NIOTransport(connection: TransportConfiguration(serverTrustManager: trust))
        // Until the settings arrive, the connection is assumed to allow streams.
        try await transport.preconnect(to: server.url(), connections: 1)
        for _ in 0..<3 {
            let error = await #expect(throws: URLError.self) {
                try await transport.send(Self.request(server.url(), idle: .milliseconds(100)))
            }
            #expect([.timedOut, .networkConnectionLost].contains(error?.code))
        }
        await transport.shutdown()
        await server.shutDown()
    }

    @Test("the wait for a server that has stopped allowing streams fails with that reason")
    func noMoreStreams() async throws {
        let tls = try TestAuthority.selfSigned().serverConfiguration()
        let server = try await HTTP2Server(tls: tls, settings: [(3, 1)]) { peer in
            while let request = try await peer.request() {
                try await peer.send(settings: [(3, 0)])
                try await peer.respond(on: request.stream)
            }
        }
        let trust = ServerTrustManager(
            allHostsMustBeEvaluated: false,
            evaluators: ["localhost": DisabledTrustEvaluator()]
        )
        let transport = try NIOTransport(connection: TransportConfiguration(serverTrustManager: trust))
        #expect(try await transport.send(Self.request(server.url())).status == 200)
        let error = await #expect(throws: URLError.self) {
            try await transport.send(Self.request(server.url(), idle: .milliseconds(100)))
        }
        #expect(error?.code == .timedOut)
        #expect(error?.connectionWait?.resource == .stream(of: 0))
        #expect(error?.localizedDescription.contains("whose server allows 0 at once") == true)
        await transport.shutdown()
        await server.shutDown()
    }

    @Test("the wait for a connection ends immediately when the request is cancelled")
    func cancelled() async throws {
        let (gate, received) = (Promise<Void>(), Locked<[String]>([]))
        let server = try await Self.server(gate, received)
        let transport = try Self.transport()
        let first = try await Self.occupy(transport, server.url("/first"), received)
        let url = server.url("/waiting")
        let waiting = Task { try await transport.send(Self.request(url)) }
        waiting.cancel()
        let error = await #expect(throws: URLError.self) { try await waiting.value }
        #expect(error?.code == .cancelled)
        gate.fulfill(())
        _ = try await first.value
        #expect(received.withLock { $0 } == ["/first"])
        await transport.shutdown()
        await server.shutDown()
    }
}
#endif
