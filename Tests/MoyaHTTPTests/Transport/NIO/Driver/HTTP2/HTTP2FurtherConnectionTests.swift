#if NIO && !canImport(Darwin)
import Foundation
import FoundationNetworking
import TestServers
import Testing

@testable import MoyaHTTP
@testable import MoyaNIOTransport

@Suite("Requests use further HTTP/2 connections while all streams are in use", .timeLimit(.minutes(5)))
struct HTTP2FurtherConnectionTests {
    /// Returns SETTINGS_MAX_CONCURRENT_STREAMS with a value.
    private static func limit(_ count: UInt32) -> [(identifier: UInt16, value: UInt32)] { [(3, count)] }

    /// Counts something, and returns the number.
    private static func count(_ counter: Locked<Int>) -> Int {
        counter.withLock { count in
            count += 1
            return count
        }
    }

    /// Sends requests to the paths `/0`, `/1` and so on at once, and returns the bodies of the responses.
    private static func texts(
        _ count: Int,
        _ transport: NIOTransport,
        _ server: HTTP2Server,
        method: HTTPMethod = .get
    ) async throws -> Set<String> {
        try await withThrowingTaskGroup(of: String.self) { group in
            for number in 0..<count {
                let url = server.url("/\(number)")
                group.addTask { try await HTTP2Live.resentText(transport, url, method: method) }
            }
            return try await group.reduce(into: []) { $0.insert($1) }
        }
    }

    private static func paths(_ count: Int) -> Set<String> { Set((0..<count).map { "/\($0)" }) }

    @Test("1,000 requests to a server with 100 streams on each connection run at once on ten connections")
    func thousand() async throws {
        let (connections, running) = (Locked(0), Locked(0))
        let allRun = Promise<Void>()
        try await HTTP2Live.run(settings: Self.limit(100), connections: 10) { peer in
            _ = Self.count(connections)
            var requests: [HTTP2Request] = []
            while requests.count < 100, let request = try await peer.request() {
                requests.append(request)
                if Self.count(running) == 1_000 { allRun.fulfill(()) }
            }
            // No request gets a response before all of them run.
            await allRun.wait()
            for request in requests { try await peer.respond(body: request.path, on: request.stream) }
        } then: { transport, server in
            try await expectEqual(Self.texts(1_000, transport, server), Self.paths(1_000))
            #expect(connections.withLock { $0 } == 10)
            let pool = try transport.poolManager.pool(for: server.url())
            let loops = pool.state.withLock { Set($0.loopIndices.values) }
            #expect(loops.count == min(10, pool.loops.count), "they are distributed over the event loops")
        }
    }

    @Test("1,000 requests that wait for the first SETTINGS open no further connection if it allows 1,000 streams")
    func burst() async throws {
        let connections = Locked(0)
        let settings = Promise<Void>()
        try await HTTP2Live.run(settings: nil, connections: 100) { peer in
            _ = Self.count(connections)
            await settings.wait()
            try await peer.send(settings: Self.limit(1_000))
            try await HTTP2Live.echo(peer)
        } then: { transport, server in
            async let texts = Self.texts(1_000, transport, server)
            try await eventually {
                try transport.poolManager.pool(for: server.url()).state.withLock { $0.machine.waitingCount } == 999
            }
            settings.fulfill(())
            try await expectEqual(texts, Self.paths(1_000))
            #expect(connections.withLock { $0 } == 1)
        }
    }

    @Test("a limit of streams that grows lets requests run that wait for a further connection")
    func grownLimit() async throws {
        let connections = Locked(0)
        let second = Promise<Void>()
        try await HTTP2Live.run(settings: nil) { peer in
            guard Self.count(connections) == 1 else {
                second.fulfill(())
                // The server never sends the settings of this connection.
                while try await peer.frame() != nil {}
                return
            }
            try await peer.send(settings: Self.limit(1))
            guard let first = try await peer.request() else { return }
            await second.wait()
            try await peer.send(settings: Self.limit(100))
            try await peer.respond(body: first.path, on: first.stream)
            try await HTTP2Live.echo(peer)
        } then: { transport, server in
            try await expectEqual(Self.texts(20, transport, server), Self.paths(20))
            #expect(connections.withLock { $0 } == 2)
        }
    }

    @Test("a further connection is closed after the idle time while the first one is in use")
    func idle() async throws {
        let (made, open) = (Locked(0), Locked(0))
        let (isRunning, gate) = (Promise<Void>(), Promise<Void>())
        try await HTTP2Live.run(settings: Self.limit(1), idleTimeout: .milliseconds(100)) { peer in
            _ = Self.count(made)
            _ = Self.count(open)
            defer { open.withLock { $0 -= 1 } }
            while let request = try await peer.request() {
                if request.path == "/long" {
                    isRunning.fulfill(())
                    await gate.wait()
                }
                try await peer.respond(body: request.path, on: request.stream)
            }
        } then: { transport, server in
            async let long = HTTP2Live.text(transport, server.url("/long"))
            await isRunning.wait()
            try await expectEqual(HTTP2Live.text(transport, server.url("/short")), "/short")
            #expect(made.withLock { $0 } >= 2)
            try await eventually { open.withLock { $0 } == 1 }
            gate.fulfill(())
            try await expectEqual(long, "/long")
            try await eventually { open.withLock { $0 } == 0 }
            try await eventually { transport.poolManager.table.count == 0 }
        }
    }

    // MARK: Refusal

    enum Refusal: CaseIterable { case close, goAway, reset }

    @Test(
        "a server that refuses a second connection gets all requests on the first one",
        arguments: Refusal.allCases
    )
    func refused(_ refusal: Refusal) async throws {
        struct Refused: Error {}
        let connections = Locked(0)
        let processed = Locked<[String: Int]>([:])
        let gate = Promise<Void>()
        let start = ContinuousClock.now
        try await HTTP2Live.run(settings: nil) { peer in
            let isFirst = Self.count(connections) == 1
            if !isFirst, refusal == .close {
                gate.fulfill(())
                throw Refused()
            }
            try await peer.send(settings: Self.limit(1))
            if !isFirst, refusal == .goAway {
                gate.fulfill(())
                return try await peer.goAway(last: 0, 11)
            }
            while let request = try await peer.request() {
                guard isFirst else {
                    gate.fulfill(())
                    try await peer.reset(request.stream, 7)
                    continue
                }
                processed.withLock { $0[request.path, default: 0] += 1 }
                // The first request runs until the second connection is refused.
                await gate.wait()
                try await peer.respond(body: request.path, on: request.stream)
            }
        } then: { transport, server in
            try await expectEqual(Self.texts(100, transport, server, method: .post), Self.paths(100))
            let seconds = Int((ContinuousClock.now - start) / .seconds(1))
            // A third connection may begin before the refusal of the second one arrives. Later, one begins in a second.
            #expect(connections.withLock { $0 } <= 3 + seconds)
            #expect(processed.withLock { $0.count } == 100)
            #expect(processed.withLock { $0.values.max() } == 1)
        }
    }

    @Test("a further connection that is lost fails its own requests, and the others go on")
    func lost() async throws {
        let connections = Locked(0)
        let gate = Promise<Void>()
        try await HTTP2Live.run(settings: Self.limit(1)) { peer in
            let isSecond = Self.count(connections) == 2
            while let request = try await peer.request() {
                if isSecond {
                    gate.fulfill(())
                    return try await peer.close()
                }
                await gate.wait()
                try await peer.respond(body: request.path, on: request.stream)
            }
        } then: { transport, server in
            let codes = await withTaskGroup(of: URLError.Code?.self) { group in
                for number in 0..<20 {
                    let url = server.url("/\(number)")
                    group.addTask {
                        await HTTP2Live.code { try await HTTP2Live.resentText(transport, url, method: .post) }
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(codes.filter { $0 == .networkConnectionLost }.count == 1)
            #expect(codes.filter { $0 == nil }.count == 19)
        }
    }

    @Test("GOAWAY on one of three connections leaves the others running, and its refused request is processed once")
    func goAwayOfThree() async throws {
        let (connections, running) = (Locked(0), Locked(0))
        let processed = Locked<[String: Int]>([:])
        let allRun = Promise<Void>()
        try await HTTP2Live.run(settings: Self.limit(2), connections: 3) { peer in
            func respond(_ request: HTTP2Request) async throws {
                processed.withLock { $0[request.path, default: 0] += 1 }
                try await peer.respond(body: request.path, on: request.stream)
            }
            let number = Self.count(connections)
            var requests: [HTTP2Request] = []
            while number <= 3, requests.count < 2, let request = try await peer.request() {
                requests.append(request)
                if Self.count(running) == 6 { allRun.fulfill(()) }
            }
            await allRun.wait()
            if number == 2, let refused = requests.popLast() {
                try await peer.goAway(last: refused.stream - 2)
            }
            for request in requests { try await respond(request) }
            while let request = try await peer.request() { try await respond(request) }
        } then: { transport, server in
            try await expectEqual(Self.texts(6, transport, server, method: .post), Self.paths(6))
            #expect(processed.withLock { $0.count } == 6)
            #expect(processed.withLock { $0.values.max() } == 1)
            #expect(connections.withLock { $0 } <= 4)
        }
    }

    @Test("a connection with an endless response stays in use when the server refuses one of its streams")
    func refusedStreamBesideEndlessResponse() async throws {
        let connections = Locked(0)
        try await HTTP2Live.run(settings: nil) { peer in
            let number = Self.count(connections)
            try await peer.send(settings: Self.limit(number == 1 ? 1 : 3))
            guard number <= 2 else { return try await HTTP2Live.echo(peer) }
            guard let endless = try await peer.request() else { return }
            try await peer.send(headers: [(":status", "200")], on: endless.stream)
            // The other requests of the second connection run when one of them is refused.
            guard number == 2, let running = try await peer.request(), let refused = try await peer.request()
            else { return }
            try await peer.reset(refused.stream, 7)
            try await peer.respond(body: running.path, on: running.stream)
            try await HTTP2Live.echo(peer)
        } then: { transport, server in
            let request = TransportRequest(method: .get, url: server.url("/endless"), responseBufferLimit: 0)
            let endless = [try await transport.send(request), try await transport.send(request)]
            try await expectEqual(Self.texts(2, transport, server), Self.paths(2))
            #expect(connections.withLock { $0 } == 2, "the refused request needs no third connection")
            withExtendedLifetime(endless) {}
        }
    }

    // MARK: End of requests

    @Test("requests that are cancelled while they wait for a further connection are not sent, and leave the pool")
    func cancellation() async throws {
        let connections = Locked(0)
        let paths = Locked<[String]>([])
        let (second, gate) = (Promise<Void>(), Promise<Void>())
        try await HTTP2Live.run(settings: nil) { peer in
            if Self.count(connections) > 1 {
                second.fulfill(())
                await gate.wait()
            }
            try await peer.send(settings: Self.limit(1))
            while let request = try await peer.request() {
                paths.withLock { $0.append(request.path) }
                if request.path == "/first" { await gate.wait() }
                try await peer.respond(body: request.path, on: request.stream)
            }
        } then: { transport, server in
            async let first = HTTP2Live.text(transport, server.url("/first"))
            try await eventually { paths.withLock { $0 } == ["/first"] }
            let waiting = (0..<50).map { number in
                Task { try await HTTP2Live.text(transport, server.url("/\(number)")) }
            }
            await second.wait()
            for task in waiting { task.cancel() }
            for task in waiting { await expectEqual(HTTP2Live.code { try await task.value }, .cancelled) }
            let pool = try transport.poolManager.pool(for: server.url())
            #expect(pool.state.withLock { $0.waiting.isEmpty && $0.machine.waitingCount == 0 })
            #expect(pool.state.withLock { $0.connectAttempts.isEmpty })
            gate.fulfill(())
            try await expectEqual(first, "/first")
            try await expectEqual(HTTP2Live.text(transport, server.url("/next")), "/next")
            #expect(paths.withLock { $0 } == ["/first", "/next"])
        }
    }

    @Test("many bursts leave no more connections than the limit, and nothing of their requests")
    func growth() async throws {
        let open = Locked((now: 0, most: 0))
        try await HTTP2Live.run(settings: Self.limit(2), connections: 3) { peer in
            open.withLock { open in
                open.now += 1
                open.most = max(open.most, open.now)
            }
            defer { open.withLock { $0.now -= 1 } }
            try await HTTP2Live.echo(peer)
        } then: { transport, server in
            for _ in 0..<20 { try await expectEqual(Self.texts(30, transport, server), Self.paths(30)) }
            #expect(open.withLock { $0.most } <= 3)
            let pool = try transport.poolManager.pool(for: server.url())
            #expect(pool.state.withLock { $0.waiting.isEmpty })
            // The last connect attempt may still run.
            try await eventually { pool.state.withLock { $0.connectAttempts.isEmpty } }
            pool.state.withLock { state in
                #expect((1...3).contains(state.connections.count))
                #expect(state.channels.count == state.connections.count)
                #expect(state.loopIndices.count == state.connections.count)
            }
        }
    }
}
#endif
