#if NIO && !canImport(Darwin)
import Foundation
import FoundationNetworking
import HTTPTypes
import TestServers
import Testing

@testable import MoyaHTTP

@Suite("A request with Expect: 100-continue waits before it sends its body", .timeLimit(.minutes(5)))
struct ExpectContinueTests {
    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
    private static let proceed = "HTTP/1.1 100 Continue\r\n\r\n"
    /// A delay that no test waits for.
    private static let never = Duration.seconds(3600)

    /// Runs a test with a server and a transport with one connection to it.
    private func run(
        size: Int64? = 1,
        timeout: Duration = never,
        _ serve: @escaping @Sendable (RawConnection) async throws -> Void,
        then body: (NIOTransport, RawServer) async throws -> Void
    ) async throws {
        let server = try await RawServer(serve)
        var configuration = TransportConfiguration()
        configuration.maximumConnectionsPerHost = 1
        configuration.expectContinueSize = size
        configuration.expectContinueTimeout = timeout
        let transport = try NIOTransport(connection: configuration)
        try await transport.shutDown(after: { try await body(transport, server) })
        await server.shutDown()
    }

    private func upload(
        _ server: RawServer,
        _ body: HTTPBody = .data(Data("body".utf8)),
        headers: HTTPFields = [:],
        idleTimeout: Duration = .seconds(60),
        exchangeTimeout: Duration = .seconds(600)
    ) -> TransportRequest {
        TransportRequest(
            method: .put,
            url: server.url(),
            headers: headers,
            body: body,
            idleTimeout: idleTimeout,
            exchangeTimeout: exchangeTimeout
        )
    }

    /// A body that records whether a piece of it is read.
    // The end does not count: the server may have the body before the end is reported.
    private func noting(_ isRead: Locked<Bool>, _ text: String = "body") -> HTTPBody {
        .data(Data(text.utf8)).observingPieces { { piece in if piece != nil { isRead.withLock { $0 = true } } } }
    }

    // MARK: Requests with the field

    @Test("Expect is sent for bodies of the minimum or an unknown size, and for requests that have the field")
    func applies() async throws {
        let unknown = HTTPBody.sequence(AsyncStream<Data> { $0.finish() })
        let four = HTTPBody.data(Data("body".utf8))
        let long = HTTPBody.data(Data(repeating: 0, count: 100_000))
        let asked: HTTPFields = [.expect: "100-Continue"]
        let rows: [(size: Int64?, body: HTTPBody?, headers: HTTPFields, expected: String?)] = [
            (nil, long, [:], nil), (4, four, [:], "100-continue"), (5, four, [:], nil),
            (100_000, long, [:], "100-continue"), (100_001, long, [:], nil), (1, unknown, [:], "100-continue"),
            (nil, four, asked, "100-continue"), (1, four, asked, "100-continue"),
            // A request without content must not have the expectation.
            (1, nil, asked, nil), (1, .data(Data()), asked, nil), (1, nil, [:], nil),
            // The field of the caller with another expectation is kept.
            (nil, four, [.expect: "x"], "x"),
        ]
        for row in rows {
            try await run(size: row.size) { connection in
                while let head = try await connection.head() {
                    if head["Expect"] == "100-continue" { try await connection.writer.write(Self.proceed) }
                    let count = try await connection.body().count
                    let text = "\(head["expect"] ?? "none") \(count)"
                    try await connection.writer.write(
                        "HTTP/1.1 200 OK\r\nContent-Length: \(text.utf8.count)\r\n\r\n\(text)"
                    )
                }
            } then: { transport, server in
                let request = TransportRequest(
                    method: .post,
                    url: server.url(),
                    headers: row.headers,
                    body: row.body
                )
                let data = try await transport.send(request).collected()
                let count = row.body.map { $0 == long ? 100_000 : $0 == four ? 4 : 0 } ?? 0
                #expect(String(decoding: data, as: UTF8.self) == "\(row.expected ?? "none") \(count)")
            }
        }
    }

    @Test("no request has Expect by default, and sizes and times that are not positive are invalid")
    func configuration() throws {
        #expect(TransportConfiguration().expectContinueSize == nil)
        var configuration = TransportConfiguration()
        configuration.expectContinueSize = 0
        #expect(throws: TransportConfigurationError.self) { try NIOTransport(connection: configuration) }
        configuration.expectContinueSize = nil
        configuration.expectContinueTimeout = .zero
        #expect(throws: TransportConfigurationError.self) { try NIOTransport(connection: configuration) }
        configuration = TransportConfiguration()
        configuration.expectContinueSize = 1
        #expect(throws: TransportConfigurationError.self) {
            try URLSessionTransport(configuration: .ephemeral, connection: configuration)
        }
    }

    // MARK: 100

    @Test(
        "a body that expects 100 is sent after the 100 and not before, and the connection is reused",
        arguments: [1, 2, 20]
    )
    func agrees(count: Int) async throws {
        let connections = Locked(0)
        let isRead = Locked(false)
        try await run { connection in
            connections.withLock { $0 += 1 }
            while try await connection.head() != nil {
                #expect(isRead.withLock { !$0 })
                try await connection.writer.write(
                    "HTTP/1.1 103 Early Hints\r\n\r\n" + String(repeating: Self.proceed, count: count)
                )
                let body = try await connection.body()
                #expect(body == Data("body".utf8))
                isRead.withLock { $0 = false }
                try await connection.writer.write(Self.proceed + Self.ok)
            }
        } then: { transport, server in
            for _ in 0..<3 {
                let response = try await transport.send(upload(server, noting(isRead)))
                #expect(response.status == 200)
                _ = try await response.collected()
            }
            #expect(connections.withLock { $0 } == 1)
        }
    }

    @Test("a 100 and a 417 in one packet lose no body: it is sent once, or the caller gets the 417")
    func refusedAfterAgreement() async throws {
        for _ in 0..<50 {
            let bodies = Locked<[Data]>([])
            try await run { connection in
                while let head = try await connection.head() {
                    guard head["Expect"] == nil else {
                        let refusal = "HTTP/1.1 417 Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
                        return try await connection.writer.write(Self.proceed + refusal)
                    }
                    let body = try await connection.body()
                    bodies.withLock { $0.append(body) }
                    try await connection.writer.write(Self.ok)
                }
            } then: { transport, server in
                let body = HTTPBody.sequence(
                    AsyncStream<Data> {
                        $0.yield(Data("body".utf8))
                        $0.finish()
                    }
                )
                let response = try await transport.send(upload(server, body))
                #expect(bodies.withLock { $0 } == (response.status == 200 ? [Data("body".utf8)] : []))
                #expect(response.status == 200 || response.status == 417)
            }
        }
    }

    @Test("a silent server gets the body that expects 100 after the delay, and a late 100 changes nothing")
    func silent() async throws {
        try await run(timeout: .milliseconds(50)) { connection in
            while try await connection.head() != nil {
                let body = try await connection.body()
                #expect(body == Data("body".utf8))
                try await connection.writer.write(Self.proceed + Self.ok)
            }
        } then: { transport, server in
            for _ in 0..<2 {
                let start = ContinuousClock.now
                let response = try await transport.send(upload(server))
                #expect(response.status == 200)
                #expect(.now - start >= .milliseconds(50))
            }
        }
    }

    @Test("a server of HTTP/1.0, which does not know 100, gets the body that expects 100 after the delay")
    func http10() async throws {
        try await run(timeout: .milliseconds(10)) { connection in
            guard try await connection.head() != nil else { return }
            _ = try await connection.body()
            try await connection.writer.write("HTTP/1.0 200 OK\r\n\r\nok")
        } then: { transport, server in
            for _ in 0..<2 {
                let data = try await transport.send(upload(server)).collected()
                #expect(data == Data("ok".utf8))
            }
        }
    }

    // MARK: Final responses

    @Test(
        "a refused expectation returns the refusal, the body is not read, and the connection is not reused",
        arguments: [301, 400, 401, 413, 500, 503]
    )
    func refuses(status: Int) async throws {
        let connections = Locked(0)
        let bytes = Locked(0)
        let isRead = Locked(false)
        try await run { connection in
            connections.withLock { $0 += 1 }
            guard try await connection.head() != nil else { return }
            try await connection.writer.write("HTTP/1.1 \(status) -\r\nContent-Length: 2\r\n\r\nno")
            while let more = try await connection.read() { bytes.withLock { $0 += more.readableBytes } }
        } then: { transport, server in
            for _ in 0..<3 {
                let response = try await transport.send(upload(server, noting(isRead)))
                #expect(response.status == status)
                #expect(try await response.collected() == Data("no".utf8))
            }
            #expect(connections.withLock { $0 } == 3)
        }
        #expect(!isRead.withLock { $0 })
        #expect(bytes.withLock { $0 } == 0)
    }

    @Test(
        "a body that expects 100 is not sent after a refusal with a delayed body, or after a 100 before the end of the final head"
    )
    func refusesSlowly() async throws {
        let isRead = Locked(false)
        let isHeadRead = Promise<Void>()
        try await run { connection in
            guard try await connection.head() != nil else { return }
            try await connection.writer.write("HTTP/1.1 413 -\r\nContent-Length: 29\r\n\r\n")
            await isHeadRead.wait()
            try await connection.writer.write("1234" + Self.proceed)
            await connection.waitUntilClosed()
        } then: { transport, server in
            var request = upload(server, noting(isRead))
            request.responseBufferLimit = 0
            let response = try await transport.send(request)
            #expect(response.status == 413)
            isHeadRead.fulfill(())
            #expect(try await response.collected().count == 29)
        }
        #expect(!isRead.withLock { $0 })
    }

    @Test("a TLS connection whose body was refused ends without a close alert, because its request is incomplete")
    func refusesOverTLS() async throws {
        let authority = try TestAuthority()
        let hasAlert = Promise<Bool>()
        let server = try await RawServer(tls: authority.issue().serverConfiguration()) { connection in
            guard try await connection.head() != nil else { return }
            try await connection.writer.write("HTTP/1.1 413 -\r\nContent-Length: 2\r\n\r\nno")
            do {
                while try await connection.read() != nil {}
                hasAlert.fulfill(true)
            } catch {
                hasAlert.fulfill(false)
            }
        }
        var configuration = try TransportConfiguration(trusting: authority)
        (configuration.expectContinueSize, configuration.expectContinueTimeout) = (1, Self.never)
        let transport = try NIOTransport(connection: configuration)
        let url = try #require(URL(string: "https://localhost:\(server.port)/"))
        try await transport.shutDown(after: {
            let request = TransportRequest(method: .put, url: url, body: .data(Data("body".utf8)))
            try await expectEqual(transport.send(request).collected(), Data("no".utf8))
            #expect(await hasAlert.wait() == false)
        })
        await server.shutDown()
    }

    @Test("a server that accepts the request and waits for the body gets the body, even without a 100")
    func acceptsAtOnce() async throws {
        try await run { connection in
            guard try await connection.head() != nil else { return }
            try await connection.writer.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            try await connection.writer.writeChunk(connection.body())
            try await connection.writer.write("0\r\n\r\n")
        } then: { transport, server in
            let data = try await transport.send(upload(server)).collected()
            #expect(data == Data("body".utf8))
        }
    }

    @Test("a complete 200 instead of the 100 ends the exchange, and the body is not sent")
    func doesNotWantBody() async throws {
        let isRead = Locked(false)
        try await run { connection in
            guard try await connection.head() != nil else { return }
            try await connection.writer.write(Self.ok)
            await connection.waitUntilClosed()
        } then: { transport, server in
            for _ in 0..<2 {
                let response = try await transport.send(upload(server, noting(isRead)))
                #expect(response.status == 200)
            }
        }
        #expect(!isRead.withLock { $0 })
    }

    // MARK: 417

    @Test("a 417 causes one resend without Expect, even if the body is not repeatable")
    func expectationFailed() async throws {
        let fields = Locked<[String?]>([])
        try await run { connection in
            while let head = try await connection.head() {
                fields.withLock { $0.append(head["expect"]) }
                if head["expect"] != nil {
                    // An endless body would occupy the only connection.
                    try await connection.writer.write("HTTP/1.1 417 -\r\nContent-Length: 99999\r\n\r\n")
                    try await connection.writer.write(Data(repeating: 0, count: 70_000))
                    return await connection.waitUntilClosed()
                }
                let body = try await connection.body()
                #expect(body == Data("once".utf8))
                try await connection.writer.write("HTTP/1.1 417 -\r\nContent-Length: 0\r\n\r\n")
            }
        } then: { transport, server in
            for asked in [[:], [.expect: "100-continue"]] as [HTTPFields] {
                fields.withLock { $0 = [] }
                let body = HTTPBody.sequence(
                    AsyncStream<Data> { stream in
                        stream.yield(Data("once".utf8))
                        stream.finish()
                    }
                )
                let connected = Locked(0)
                var request = upload(server, body, headers: asked)
                request.onConnect = { connected.withLock { $0 += 1 } }
                let response = try await transport.send(request)
                #expect(response.status == 417)
                #expect(fields.withLock { $0 } == ["100-continue", nil])
                #expect(connected.withLock { $0 } == 1)
            }
        }
    }

    @Test(
        "a 417 after the transport has begun to read the body causes a resend if the body is repeatable",
        arguments: [true, false]
    )
    func lateExpectationFailed(isRepeatable: Bool) async throws {
        let count = Locked(0)
        try await run { connection in
            while let head = try await connection.head() {
                count.withLock { $0 += 1 }
                if head["expect"] != nil { try await connection.writer.write(Self.proceed) }
                _ = try await connection.body()
                let status = head["expect"] == nil ? 200 : 417
                try await connection.writer.write("HTTP/1.1 \(status) -\r\nContent-Length: 0\r\n\r\n")
            }
        } then: { transport, server in
            let body = HTTPBody.sequence(OneElement(), length: 4, isRepeatable: isRepeatable)
            let response = try await transport.send(upload(server, body))
            #expect(response.status == (isRepeatable ? 200 : 417))
            #expect(count.withLock { $0 } == (isRepeatable ? 2 : 1))
        }
    }

    private struct OneElement: AsyncSequence {
        func makeAsyncIterator() -> AsyncStream<Data>.Iterator {
            AsyncStream { continuation in
                continuation.yield(Data("body".utf8))
                continuation.finish()
            }.makeAsyncIterator()
        }
    }

    // MARK: Failures

    @Test("a connection closed instead of a 100 fails the request, and the body is not read")
    func closes() async throws {
        let isRead = Locked(false)
        try await run { connection in
            _ = try await connection.head()
        } then: { transport, server in
            let error = await #expect(throws: URLError.self) {
                try await transport.send(upload(server, noting(isRead)))
            }
            #expect(error?.code == .networkConnectionLost)
        }
        #expect(!isRead.withLock { $0 })
    }

    @Test("cancelling a request that waits for a 100 closes its connection")
    func cancelled() async throws {
        let isRead = Locked(false)
        let (arrived, closed) = (Promise<Void>(), Promise<Void>())
        try await run { connection in
            guard try await connection.head() != nil else { return }
            arrived.fulfill(())
            await connection.waitUntilClosed()
            closed.fulfill(())
        } then: { transport, server in
            let request = upload(server, noting(isRead))
            let task = Task { try await transport.send(request) }
            await arrived.wait()
            task.cancel()
            let error = await #expect(throws: URLError.self) { try await task.value }
            #expect(error?.code == .cancelled)
            await closed.wait()
        }
        #expect(!isRead.withLock { $0 })
    }

    @Test("the timeouts of a request apply while it waits for a 100", arguments: [true, false])
    func timeouts(isIdle: Bool) async throws {
        try await run { connection in
            _ = try await connection.head()
            await connection.waitUntilClosed()
        } then: { transport, server in
            let request = upload(
                server,
                idleTimeout: isIdle ? .milliseconds(100) : .seconds(60),
                exchangeTimeout: isIdle ? .seconds(60) : .milliseconds(100)
            )
            let error = await #expect(throws: URLError.self) { try await transport.send(request) }
            #expect(error?.code == .timedOut)
        }
    }

    @Test("a body that cannot be read fails the request after the 100")
    func unreadable() async throws {
        try await run { connection in
            guard try await connection.head() != nil else { return }
            try await connection.writer.write(Self.proceed)
            await connection.waitUntilClosed()
        } then: { transport, server in
            let body = HTTPBody.stream(InputStream(data: Data("abc".utf8)), length: 9)
            await #expect(throws: RequestBodyError.self) { try await transport.send(upload(server, body)) }
        }
    }

    // MARK: HTTP/2

    private func runHTTP2(
        timeout: Duration = never,
        _ serve: @escaping @Sendable (HTTP2Peer) async throws -> Void,
        then body: (TransportRequest, NIOTransport) async throws -> Void
    ) async throws {
        let authority = try TestAuthority()
        let server = try await HTTP2Server(tls: try authority.issue().serverConfiguration(), serve)
        var configuration = try TransportConfiguration(trusting: authority)
        configuration.expectContinueSize = 1
        configuration.expectContinueTimeout = timeout
        let transport = try NIOTransport(connection: configuration)
        let request = TransportRequest(method: .put, url: server.url(), body: .data(Data("body".utf8)))
        try await transport.shutDown(after: { try await body(request, transport) })
        await server.shutDown()
    }

    @Test("a body that expects 100 is sent over HTTP/2 after the 100 or after the delay", arguments: [true, false])
    func http2(agrees: Bool) async throws {
        try await runHTTP2(timeout: agrees ? Self.never : .milliseconds(20)) { peer in
            while let request = try await peer.request() {
                #expect(request["expect"] == "100-continue")
                if agrees { try await peer.send(headers: [(":status", "100")], on: request.stream) }
                let frame = try await peer.frame(RawFrame.Kind.data, on: request.stream)
                #expect(frame.payload == Array("body".utf8))
                try await peer.respond(on: request.stream)
            }
        } then: { request, transport in
            for _ in 0..<2 {
                let response = try await transport.send(request)
                #expect(response.status == 200)
            }
        }
    }

    @Test("a refusal over HTTP/2 resets the stream without the body, and a 417 causes a resend")
    func http2Refused() async throws {
        let log = Locked<[String]>([])
        try await runHTTP2 { peer in
            while let frame = try await peer.frame() {
                switch frame.type {
                case RawFrame.Kind.headers:
                    let number = log.withLock { log in
                        log.append("head")
                        return log.filter { $0 == "head" }.count
                    }
                    if number < 3 {
                        try await peer.send(
                            headers: [(":status", number == 1 ? "413" : "417")],
                            on: frame.stream,
                            isEnd: true
                        )
                    }
                case RawFrame.Kind.reset: log.withLock { $0.append("reset") }
                case RawFrame.Kind.data:
                    if !frame.payload.isEmpty { log.withLock { $0.append("data") } }
                    if frame.flags & RawFrame.end != 0 { try await peer.respond(on: frame.stream) }
                default: break
                }
            }
        } then: { request, transport in
            let refused = try await transport.send(request)
            #expect(refused.status == 413)
            let accepted = try await transport.send(request)
            #expect(accepted.status == 200)
        }
        #expect(log.withLock { $0 } == ["head", "reset", "head", "reset", "head", "data"])
    }

    @Test("a request that waits for a 100 over HTTP/2 can be cancelled, and the connection continues")
    func http2Cancelled() async throws {
        let arrived = Promise<Void>()
        let wasReset = Promise<Void>()
        try await runHTTP2 { peer in
            let first = try await peer.request()
            arrived.fulfill(())
            let reset = try await peer.frame(RawFrame.Kind.reset)
            #expect(reset.stream == first?.stream)
            wasReset.fulfill(())
            while let request = try await peer.request() {
                try await peer.send(headers: [(":status", "100")], on: request.stream)
                _ = try await peer.frame(RawFrame.Kind.data, on: request.stream)
                try await peer.respond(on: request.stream)
            }
        } then: { request, transport in
            let task = Task { try await transport.send(request) }
            await arrived.wait()
            task.cancel()
            let error = await #expect(throws: URLError.self) { try await task.value }
            #expect(error?.code == .cancelled)
            await wasReset.wait()
            let response = try await transport.send(request)
            #expect(response.status == 200)
        }
    }
}
#endif
