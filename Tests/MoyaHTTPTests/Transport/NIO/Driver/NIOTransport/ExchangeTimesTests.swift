#if NIO && !canImport(Darwin)
import Foundation
import FoundationNetworking
import HTTPTypes
import TestServers
import TestSupport
import Testing

@testable import MoyaHTTP

@Suite("A transport records the times of exchanges that fail, wait or reuse a connection", .timeLimit(.minutes(5)))
struct ExchangeTimesTests {
    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    private struct Resolver: HostResolver {
        let answer: @Sendable (String) async throws -> ResolvedHost

        func resolve(_ host: String) async throws -> ResolvedHost { try await answer(host) }
    }

    private struct Failure: Error {}

    private static func configuration(
        _ change: (inout TransportConfiguration) -> Void = { _ in }
    ) -> TransportConfiguration {
        var configuration = TransportConfiguration()
        configuration.usesSystemProxies = false
        configuration.startsSecondAttempt = false
        configuration.hostResolver = Resolver { _ in ResolvedHost(addresses: ["127.0.0.1"]) }
        change(&configuration)
        return configuration
    }

    private static func transport(
        _ change: (inout TransportConfiguration) -> Void = { _ in }
    ) throws -> NIOTransport {
        try NIOTransport(connection: configuration(change))
    }

    /// Sends a request, and returns its times and the error, if it fails.
    @discardableResult
    private static func send(
        _ request: TransportRequest,
        _ transport: NIOTransport
    ) async throws -> (timings: ExchangeTimings, error: (any Error)?) {
        var request = request
        let recorder = ExchangeRecorder()
        request.recorder = recorder
        do {
            _ = try await transport.send(request).collected()
            return (recorder.timings, nil)
        } catch {
            return (recorder.timings, error)
        }
    }

    private static func send(_ url: URL, _ transport: NIOTransport) async throws -> ExchangeTimings {
        try await send(TransportRequest(method: .get, url: url), transport).timings
    }

    // MARK: Failures

    /// A phase, for comparisons.
    private enum Reached: String {
        case lookup, connect, proxy, tls, request, head
    }

    /// Expects the times of an exchange that has failed in a phase.
    private static func expectFailure(
        in reached: Reached,
        _ timings: ExchangeTimings,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let ended = try #require(timings.ended, sourceLocation: sourceLocation)
        #expect(timings.hasFailed, sourceLocation: sourceLocation)
        let phases: [(Reached, ExchangeTimings.Phase?)] = [
            (.lookup, timings.lookup), (.connect, timings.connect), (.proxy, timings.proxy), (.tls, timings.tls),
        ]
        for (phase, times) in phases {
            if phase == reached {
                let times = try #require(times, "\(phase)", sourceLocation: sourceLocation)
                #expect(times.end == nil && times.start <= ended, "\(phase)", sourceLocation: sourceLocation)
            } else if let times {
                #expect(times.end != nil, "\(phase)", sourceLocation: sourceLocation)
            }
        }
        #expect((timings.acquired != nil) == [.request, .head].contains(reached), sourceLocation: sourceLocation)
        #expect((timings.responseHead != nil) == (reached == .head), sourceLocation: sourceLocation)
        if timings.acquired == nil { #expect(timings.queued?.end == nil, sourceLocation: sourceLocation) }
    }

    @Test("an exchange whose host is not found has a lookup without an end")
    func lookupFailure() async throws {
        let transport = try Self.transport { $0.hostResolver = Resolver { _ in throw Failure() } }
        try await transport.shutDown(after: {
            let timings = try await Self.send(try #require(URL(string: "http://h.test/")), transport)
            try Self.expectFailure(in: .lookup, timings)
            #expect(timings.connect == nil)
        })
    }

    @Test("an exchange whose connection is refused has a connection attempt without an end")
    func refused() async throws {
        let port = try DeadPort()
        let transport = try Self.transport()
        try await transport.shutDown(after: {
            let timings = try await Self.send(try #require(URL(string: "http://h.test:\(port.port)/")), transport)
            try Self.expectFailure(in: .connect, timings)
            #expect(timings.lookup?.end != nil)
        })
        withExtendedLifetime(port) {}
    }

    @Test("an exchange that times out while it connects has the phases so far, although the connect attempt goes on")
    func connectTimeout() async throws {
        let port = try FullPort()
        let transport = try Self.transport { $0.connectTimeout = .seconds(60) }
        try await transport.shutDown(after: {
            var request = TransportRequest(method: .get, url: try #require(URL(string: "http://h.test:\(port.port)/")))
            request.connectTimeout = .milliseconds(300)
            let (timings, error) = try await Self.send(request, transport)
            #expect((error as? URLError)?.code == .timedOut)
            try Self.expectFailure(in: .connect, timings)
            #expect(try #require(timings.ended) >= .milliseconds(300))
        })
        withExtendedLifetime(port) {}
    }

    @Test("an exchange that a proxy refuses has a handshake with the proxy without an end")
    func proxyRefusal() async throws {
        let proxy = try await TestProxy(
            .asking { _, _ in
                TestProxy.Refusal("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n", closes: true)
            }
        )
        let transport = try Self.transport { $0.proxy = .http(host: "127.0.0.1", port: proxy.port) }
        try await transport.shutDown(after: {
            let timings = try await Self.send(try #require(URL(string: "https://h.test/")), transport)
            try Self.expectFailure(in: .proxy, timings)
            // The address of the proxy needs no lookup.
            #expect(timings.lookup == nil && timings.connect?.end != nil)
        })
        _ = try await proxy.shutDown()
    }

    @Test("an exchange whose certificate is refused has a TLS handshake without an end")
    func untrusted() async throws {
        let server = try await RawServer(tls: try SelfSigned.serverConfiguration()) { await $0.waitUntilClosed() }
        let transport = try Self.transport()
        try await transport.shutDown(after: {
            let timings = try await Self.send(try #require(URL(string: "https://localhost:\(server.port)/")), transport)
            try Self.expectFailure(in: .tls, timings)
        })
        await server.shutDown()
    }

    @Test(
        "an exchange whose server closes the connection has the times up to the request or the head",
        arguments: [
            Misbehavior.closesBeforeHead, .closesInBody,
        ]
    )
    func closed(_ misbehavior: Misbehavior) async throws {
        let server = try await MisbehavingServer()
        let transport = try Self.transport()
        try await transport.shutDown(after: {
            let timings = try await Self.send(server.url(misbehavior), transport)
            try Self.expectFailure(in: misbehavior == .closesInBody ? .head : .request, timings)
            #expect(timings.requestSent != nil)
        })
        try await server.shutDown()
    }

    @Test("a cancelled exchange has the times up to its cancellation")
    func cancelled() async throws {
        let received = Promise<Void>()
        let server = try await RawServer { connection in
            _ = try await connection.head()
            received.fulfill(())
            await connection.waitUntilClosed()
        }
        let transport = try Self.transport()
        try await transport.shutDown(after: {
            let task = Task { try await Self.send(server.url(), transport) }
            await received.wait()
            task.cancel()
            try Self.expectFailure(in: .request, await task.value)
        })
        await server.shutDown()
    }

    // MARK: Connections

    @Test("an exchange on an open connection has no phases of a connect attempt and did not wait")
    func reused() async throws {
        let server = try await RawServer { connection in
            while try await connection.head() != nil { try await connection.writer.write(Self.ok) }
        }
        let transport = try Self.transport()
        try await transport.shutDown(after: {
            let url = try #require(URL(string: "http://h.test:\(server.port)/"))
            let first = try await Self.send(url, transport)
            let second = try await Self.send(url, transport)
            #expect(first.isConnectionReused == false && second.isConnectionReused == true)
            #expect(first.lookup?.end != nil && first.connect?.end != nil && first.queued?.end != nil)
            let phases = [second.queued, second.lookup, second.connect, second.proxy, second.tls]
            #expect(phases.allSatisfy { $0 == nil })
            #expect(first.connection == second.connection && first.connection?.number != nil)
            #expect(second.connection?.httpVersion == "HTTP/1.1" && second.connection?.tls == nil)
        })
        await server.shutDown()
    }

    @Test("the first exchange on a connection that was opened in advance has no phases, and its connection is new")
    func preconnected() async throws {
        let server = try await RawServer { connection in
            while try await connection.head() != nil { try await connection.writer.write(Self.ok) }
        }
        let transport = try Self.transport()
        try await transport.shutDown(after: {
            try await transport.preconnect(to: server.url(), connections: 1)
            let timings = try await Self.send(server.url(), transport)
            #expect(timings.isConnectionReused == false && timings.queued == nil && timings.connect == nil)
        })
        await server.shutDown()
    }

    @Test("an exchange that waits until another one frees the connection has a wait, and no phases")
    func queued() async throws {
        let (first, second) = (Promise<Void>(), Promise<Void>())
        let server = try await RawServer { connection in
            guard try await connection.head() != nil else { return }
            first.fulfill(())
            await second.wait()
            try await connection.writer.write(Self.ok)
            while try await connection.head() != nil { try await connection.writer.write(Self.ok) }
        }
        let transport = try Self.transport { $0.maximumConnectionsPerHost = 1 }
        try await transport.shutDown(after: {
            let running = Task { try await Self.send(server.url(), transport) }
            await first.wait()
            var request = TransportRequest(method: .get, url: server.url())
            let recorder = ExchangeRecorder()
            request.recorder = recorder
            let waiting = Task { [request] in try await transport.send(request).collected() }
            try await eventually { recorder.timings.queued != nil }
            let freed = ContinuousClock.now
            second.fulfill(())
            _ = try await (running.value, waiting.value)
            let timings = recorder.timings
            #expect(timings.start + (timings.queued?.end ?? .zero) >= freed)
            #expect(timings.queued?.end == timings.acquired)
            #expect(timings.isConnectionReused == true && timings.lookup == nil && timings.connect == nil)
        })
        await server.shutDown()
    }

    @Test("an exchange that waits for the connect attempt of another one has its phases from the beginning of its wait")
    func sharedAttempt() async throws {
        let (asked, answer) = (Promise<Void>(), Promise<Void>())
        try await HTTP2Live.run { peer in
            while let request = try await peer.request() { try await peer.respond(on: request.stream) }
        } then: { unused, server in
            // Another transport, because the resolver is a setting.
            var configuration = TransportConfiguration(trusting: DisabledTrustEvaluator())
            configuration.hostResolver = Resolver { _ in
                asked.fulfill(())
                await answer.wait()
                return ResolvedHost(addresses: ["127.0.0.1"])
            }
            configuration.usesSystemProxies = false
            let transport = try NIOTransport(connection: configuration)
            try await transport.shutDown(after: {
                let first = Task { try await Self.send(server.url(), transport) }
                await asked.wait()
                var request = TransportRequest(method: .get, url: server.url())
                let events = Recorder<ExchangeEvent>()
                let recorder = ExchangeRecorder { event, _ in events.add(event) }
                request.recorder = recorder
                let second = Task { [request] in try await transport.send(request).collected() }
                try await eventually { recorder.timings.lookup != nil }
                answer.fulfill(())
                let one = try await first.value
                _ = try await second.value
                let other = recorder.timings
                #expect(one.connection == other.connection)
                #expect(one.isConnectionReused != other.isConnectionReused)
                #expect(other.lookup?.start == other.queued?.start)
                for (mine, first) in [(other.lookup, one.lookup), (other.connect, one.connect), (other.tls, one.tls)] {
                    let (mine, first) = (try #require(mine?.end), try #require(first?.end))
                    #expect(other.start + mine == one.start + first)
                }
                // The second exchange has waited for a part of the lookup only.
                #expect(try #require(other.lookup?.duration) < #require(one.lookup?.duration))
                #expect(events.values.prefix(3) == [.queued, .lookupStarted(host: "localhost"), .lookupEnded])
            })
        }
    }

    @Test("the exchanges that wait for one connect attempt have its phases up to its failure")
    func sharedFailure() async throws {
        let (asked, answer) = (Promise<Void>(), Promise<Void>())
        let transport = try Self.transport { configuration in
            configuration.maximumConnectionsPerHost = 1
            configuration.hostResolver = Resolver { _ in
                asked.fulfill(())
                await answer.wait()
                throw Failure()
            }
        }
        try await transport.shutDown(after: {
            let url = try #require(URL(string: "http://h.test/"))
            let first = Task { try await Self.send(url, transport) }
            await asked.wait()
            var request = TransportRequest(method: .get, url: url)
            let recorder = ExchangeRecorder()
            request.recorder = recorder
            let second = Task { [request] in try await transport.send(request) }
            try await eventually { recorder.timings.lookup != nil }
            answer.fulfill(())
            try Self.expectFailure(in: .lookup, await first.value)
            await #expect(throws: URLError.self) { try await second.value }
            try Self.expectFailure(in: .lookup, recorder.timings)
        })
    }

    @Test("requests that wait for connections leave nothing in the pool that observes connect attempts")
    func observersEnd() async throws {
        let server = try await RawServer { connection in
            while try await connection.head() != nil { try await connection.writer.write(Self.ok) }
        }
        let url = server.url()
        try await ConnectionPool.withOneLoop(to: url) { pool, _ in
            await withTaskGroup { group in
                for number in 0..<40 {
                    group.addTask {
                        var request = TransportRequest(method: .get, url: url)
                        request.recorder = ExchangeRecorder()
                        let exchange = Exchange(request)
                        guard let outbound = try? pool.makeRequest(request, body: .none, exchange: exchange) else {
                            return
                        }
                        if number.isMultiple(of: 3) {
                            pool.start(outbound)
                            exchange.cancel()
                        }
                        _ = try? await exchange.perform { pool.start(outbound) }
                    }
                }
            }
            pool.state.withLock { state in
                #expect(state.observers.isEmpty && state.waiting.isEmpty)
                #expect(state.connectAttempts.values.allSatisfy { $0.observerCount == 0 })
            }
        }
        await server.shutDown()
    }

    // MARK: Messages

    @Test("an exchange has the sizes of the messages as they are on the connection")
    func sizes() async throws {
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        let interim = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
        let sizes = Recorder<Int>()
        let server = try await RawServer { connection in
            var received: [UInt8] = []
            while received.suffix(5) != Array("12345".utf8)[...] {
                guard let bytes = try await connection.read() else { return }
                received += bytes.readableBytesView
            }
            sizes.add(received.count)
            try await connection.writer.write(interim + interim + head + "3\r\nabc\r\n4\r\ndefg\r\n0\r\n\r\n")
            await connection.waitUntilClosed()
        }
        let transport = try Self.transport()
        try await transport.shutDown(after: {
            let body = HTTPBody.data(Data("12345".utf8))
            let timings = try await Self.send(
                TransportRequest(method: .post, url: server.url(), body: body),
                transport
            ).timings
            #expect(timings.bytes.requestBody == 5)
            #expect(try #require(timings.bytes.requestHead) + 5 == sizes.values.map { Int64($0) }.first)
            #expect(timings.bytes.responseHead == Int64((interim + interim + head).utf8.count))
            #expect(timings.bytes.responseBody == 7)
            #expect(timings.interimCount == 2)
            #expect(try #require(timings.firstInterim) <= #require(timings.responseStarted))
        })
        await server.shutDown()
    }

    @Test("the exchange that follows a refused expectation is recorded, with the beginning of the first one")
    func expectation() async throws {
        let server = try await RawServer { connection in
            while let head = try await connection.head() {
                if head["Expect"] != nil {
                    try await connection.writer.write("HTTP/1.1 417 No\r\nContent-Length: 0\r\n\r\n")
                } else {
                    _ = try await connection.body()
                    try await connection.writer.write(Self.ok)
                }
            }
        }
        let transport = try Self.transport { $0.expectContinueSize = 1 }
        try await transport.shutDown(after: {
            let request = TransportRequest(method: .put, url: server.url(), body: .data(Data("body".utf8)))
            let (timings, error) = try await Self.send(request, transport)
            #expect(error == nil && !timings.hasFailed)
            #expect(timings.bytes.requestBody == 4 && timings.bytes.responseBody == 2)
            #expect(timings.ended != nil)
        })
        await server.shutDown()
    }
}
#endif
