#if NIO && !canImport(Darwin)
import Foundation
import FoundationNetworking
import HTTPTypes
import NIOCore
import NIOPosix
import NIOSSL
import TestServers
import Testing

@testable import MoyaHTTP
@testable import MoyaNIOTransport

@Suite("Requests that a server has not processed are resent", .timeLimit(.minutes(5)))
struct ResendLiveTests {
    /// A transport that counts how often each request is sent.
    private struct Counting: HTTPTransport {
        let transport: NIOTransport
        let counts = Locked<[String: Int]>([:])

        func send(_ request: TransportRequest) async throws -> TransportResponse {
            counts.withLock { $0[request.url.path, default: 0] += 1 }
            return try await transport.send(request)
        }

        func shutdown() async {}
    }

    // MARK: GOAWAY

    @Test(
        "no request is refused often, whatever number of requests a server accepts on a connection",
        arguments: [1, 3, 20]
    )
    func fairness(accepted: Int) async throws {
        let processed = Locked<[String: Int]>([:])
        let (workers, requests, connections) = (64, 4, 6)
        let start = ContinuousClock.now
        try await HTTP2Live.run(settings: [(3, 128)], connections: connections) { peer in
            for number in 1...accepted {
                guard let request = try await peer.request() else { return }
                processed.withLock { $0[request.path, default: 0] += 1 }
                if number == accepted { try await peer.goAway(last: request.stream) }
                try await peer.respond(body: request.path, on: request.stream)
            }
        } then: { transport, server in
            let counting = Counting(transport: transport)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for worker in 0..<workers {
                    group.addTask {
                        for number in 0..<requests {
                            let path = "/\(worker)/\(number)"
                            let request = TransportRequest(
                                method: .post,
                                url: server.url(path),
                                body: .data(Data("x".utf8))
                            )
                            let body = try await counting.sendAsSession(request).collected()
                            #expect(String(decoding: body, as: UTF8.self) == path)
                        }
                    }
                }
                try await group.waitForAll()
            }
            let total = workers * requests
            #expect(processed.withLock { $0.count } == total)
            #expect(processed.withLock { $0.values.max() } == 1)
            let counts = counting.counts.withLock { $0.values.sorted() }
            // The pool learns the number that the server accepts from the first connections, and sends more requests after each second
            // without a frame from the server (`PooledHTTP2Connection.allowanceTime`). Each time, each connection may refuse each of the
            // running requests once.
            let periods = 1 + Int((ContinuousClock.now - start) / .seconds(1))
            #expect(counts.reduce(0, +) <= total + workers * connections * periods)
            #expect((counts.last ?? 0) <= 1 + connections * periods)
        }
    }

    @Test(
        "a server that refuses all requests gets only a few, and the error names the reason",
        arguments: [(11, "ENHANCE_YOUR_CALM"), (12, "INADEQUATE_SECURITY"), (2, "INTERNAL_ERROR")]
            as [(number: UInt32, name: String)],
        [1, 20]
    )
    func refusesAll(code: (number: UInt32, name: String), requests: Int) async throws {
        let connections = Locked(0)
        try await HTTP2Live.run { peer in
            connections.withLock { $0 += 1 }
            _ = try await peer.request()
            try await peer.goAway(last: 0, code.number, debugData: "too_many\r\nrequests")
        } then: { transport, server in
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<requests {
                    group.addTask {
                        let error = await #expect(throws: URLError.self) {
                            try await HTTP2Live.resentText(transport, server.url("/\(number)"), method: .post)
                        }
                        #expect(error?.code == .networkConnectionLost)
                        #expect(error?.isRequestUnprocessed == true)
                        let text = error?.localizedDescription ?? ""
                        #expect(text.contains(code.name) && text.contains("\"too_many  requests\""), "\(text)")
                    }
                }
            }
            // A request that arrives after the others have been refused uses another connection.
            #expect((5...10).contains(connections.withLock { $0 }))
        }
    }

    @Test("a connection that a server ends with an error fails its request with the code and the debug data")
    func endedWithError() async throws {
        try await HTTP2Live.run { peer in
            guard let request = try await peer.request() else { return }
            if request.path == "/head" { try await peer.send(headers: [(":status", "200")], on: request.stream) }
            try await peer.goAway(last: request.stream, 11, debugData: "calm down")
            try await peer.close()
        } then: { transport, server in
            for path in ["/", "/head"] {
                let error = await #expect(throws: URLError.self) {
                    try await HTTP2Live.resentText(transport, server.url(path), method: .post)
                }
                let text = error?.localizedDescription ?? ""
                #expect(text.contains("ENHANCE_YOUR_CALM") && text.contains("\"calm down\""), "\(text)")
                #expect(error?.isRequestUnprocessed == false)
            }
        }
    }

    @Test("a response that a GOAWAY excludes after it has begun fails with the code and the debug data")
    func excludedResponse() async throws {
        try await HTTP2Live.run { peer in
            guard let request = try await peer.request() else { return }
            try await peer.send(headers: [(":status", "200")], on: request.stream)
            try await peer.goAway(last: 0, 11, debugData: "calm down")
            _ = try await peer.request()
        } then: { transport, server in
            let error = await #expect(throws: URLError.self) {
                try await HTTP2Live.text(transport, server.url("/"))
            }
            let text = error?.localizedDescription ?? ""
            #expect(text.contains("ENHANCE_YOUR_CALM") && text.contains("\"calm down\""), "\(text)")
            #expect(error?.isRequestUnprocessed == false)
        }
    }

    // MARK: HTTP_1_1_REQUIRED

    enum Requirement: Sendable, CaseIterable { case reset, goAwayBefore, goAwayAfter }

    @Test(
        "a server that requires HTTP/1.1 gets all requests over it, except a POST that it may have processed (RFC 9113, section 7)",
        arguments: Requirement.allCases,
        [HTTPMethod.get, .post]
    )
    func requiresHTTP1(requirement: Requirement, method: HTTPMethod) async throws {
        let shared = Locked(0)
        let requests = Locked<[String: Int]>([:])
        try await HTTP2Live.run(http1: { connection in
            while let head = try await connection.head() {
                let body = try await connection.body()
                requests.withLock { $0[head.path, default: 0] += 1 }
                #expect(body == (method == .post ? Data("x".utf8) : Data()))
                try await connection.writer.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            }
        }) { peer in
            shared.withLock { $0 += 1 }
            while let request = try await peer.request() {
                switch requirement {
                case .reset: try await peer.reset(request.stream, 13)
                case .goAwayBefore: try await peer.goAway(last: 0, 13)
                case .goAwayAfter:
                    try await peer.goAway(last: request.stream, 13)
                    return try await peer.close()
                }
            }
        } then: { transport, server in
            let body = method == .post ? HTTPBody.data(Data("x".utf8)) : nil
            // The last stream of the GOAWAY may have been processed (RFC 9113, section 6.8).
            let failures = requirement == .goAwayAfter && method == .post ? 1 : 0
            let errors = Locked<[URLError]>([])
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<20 {
                    group.addTask {
                        do {
                            let url = server.url("/\(number)")
                            let text = try await HTTP2Live.resentText(transport, url, method: method, body: body)
                            #expect(text == "ok")
                        } catch {
                            errors.withLock { $0.append(error as? URLError ?? URLError(.unknown)) }
                        }
                    }
                }
            }
            #expect(errors.withLock { $0.count } == failures)
            for error in errors.withLock({ $0 }) {
                #expect(error.code == .networkConnectionLost && !error.isRequestUnprocessed)
                #expect(error.localizedDescription.contains("HTTP_1_1_REQUIRED"))
            }
            for number in 20..<22 {
                let url = server.url("/\(number)")
                try await expectEqual(HTTP2Live.text(transport, url, method: method, body: body), "ok")
            }
            #expect(shared.withLock { $0 } == 1)
            #expect(requests.withLock { $0.values.max() } == 1)
            #expect(requests.withLock { $0.count } == 22 - failures)
        }
    }

    @Test("a new pool for an origin that requires HTTP/1.1 offers no other version")
    func isRemembered() async throws {
        let authority = try TestAuthority()
        let shared = Locked(0)
        let server = try await HTTP2Server(
            tls: try authority.issue().serverConfiguration(),
            http1: { connection in
                while try await connection.head() != nil {
                    try await connection.writer.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
                }
            }
        ) { peer in
            shared.withLock { $0 += 1 }
            while let request = try await peer.request() { try await peer.reset(request.stream, 13) }
        }
        let settings = try ConnectionSettings(TransportConfiguration(trusting: authority))
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        for _ in 0..<2 {
            let pool = ConnectionPool(
                try settings.connector(for: try #require(Origin(server.url())), host: "localhost"),
                on: [loop]
            )
            var request = TransportRequest(method: .post, url: server.url())
            while true {
                let exchange = Exchange(request)
                let outbound = try pool.makeRequest(request, body: .none, exchange: exchange)
                do {
                    let body = try await exchange.perform { pool.start(outbound) }.collected()
                    #expect(body == Data("ok".utf8))
                    break
                } catch let error as URLError {
                    try #require(error.isRequestUnprocessed)
                    #expect(error.localizedDescription.contains("HTTP_1_1_REQUIRED"))
                    request.isResent = true
                }
            }
            try await pool.shutDown { .cancelled(url: $0) }.get()
        }
        #expect(shared.withLock { $0 } == 1)
        await server.shutDown()
    }

    @Test("the number of origins that require HTTP/1.1 is bounded, and the oldest is evicted")
    func origins() {
        let origins = HTTP1Origins()
        let all = (0..<HTTP1Origins.maximumCount + 3).compactMap { number in
            URL(string: "https://host-\(number).example").flatMap { Origin($0) }
        }
        #expect(all.count == HTTP1Origins.maximumCount + 3)
        for origin in all + all.suffix(10) { origins.insert(origin) }
        #expect(all.filter { !origins.contains($0) } == Array(all.prefix(3)))
    }

    // MARK: Connections closed by the server

    /// Returns a server that closes a connection on command after its first response.
    private static func closing(
        _ mayClose: AsyncStream<Void>,
        _ isClosed: DispatchSemaphore,
        _ paths: Locked<[String]>
    ) async throws -> RawServer {
        let iterator = Locked<Int>(0)
        return try await RawServer { connection in
            let number = iterator.withLock { count in
                count += 1
                return count
            }
            while let head = try await connection.head() {
                paths.withLock { $0.append("\(number)\(head.path)") }
                // A client closes a connection whose response is complete before its request.
                _ = try await connection.body()
                try await connection.writer.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
                guard number == 1 else { continue }
                for await _ in mayClose { break }
                defer { isClosed.signal() }
                try await connection.writer.close()
            }
        }
    }

    @Test(
        "a request uses another connection if the server closed an idle connection, even before the event loop reads the end",
        arguments: [HTTPMethod.post, .patch, .get]
    )
    func closedWhileIdle(method: HTTPMethod) async throws {
        let (mayClose, close) = AsyncStream<Void>.makeStream()
        let isClosed = DispatchSemaphore(value: 0)
        let paths = Locked<[String]>([])
        let server = try await Self.closing(mayClose, isClosed, paths)
        try await ConnectionPool.withOneLoop(to: server.url()) { pool, loop in
            func outbound(_ path: String) throws -> (OutboundRequest, Exchange) {
                let request = TransportRequest(method: method, url: server.url(path))
                let exchange = Exchange(request)
                // A body that is not repeatable.
                let body = try HTTPBody.data(Data("x".utf8)).open()
                return (try pool.makeRequest(request, body: .reader(body), exchange: exchange), exchange)
            }
            let (first, firstExchange) = try outbound("/first")
            _ = try await firstExchange.perform { pool.start(first) }.collected()
            let (second, secondExchange) = try outbound("/second")
            let body = try await secondExchange.perform {
                loop.execute {
                    // A GET is sent without a check immediately after the previous response.
                    usleep(10_000)
                    close.yield()
                    isClosed.wait()
                    pool.start(second)
                }
            }.collected()
            #expect(body == Data("ok".utf8))
            #expect(paths.withLock { $0 } == ["1/first", "2/second"])
        }
        await server.shutDown()
    }

    @Test(
        "a connection is reused only for the server's keep-alive time (RFC 2068, section 19.7.1.1)",
        arguments: [0, 100]
    )
    func keepAlive(timeout: Int) async throws {
        let connections = Locked(0)
        let server = try await RawServer { connection in
            connections.withLock { $0 += 1 }
            while try await connection.head() != nil {
                try await connection.writer.write(
                    "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nkeep-Alive: max=5, Timeout = \(timeout)\r\n\r\nok"
                )
            }
        }
        let transport = NIOTransport()
        try await transport.shutDown(after: {
            for _ in 0..<3 {
                _ = try await transport.send(TransportRequest(method: .post, url: server.url())).collected()
            }
        })
        #expect(connections.withLock { $0 } == (timeout == 0 ? 3 : 1))
        await server.shutDown()
    }
}
#endif
