#if NIO && !canImport(Darwin)
import Foundation
import FoundationNetworking
import HTTPTypes
import NIOCore
import NIOPosix
import TestServers
import Testing

@testable import MoyaHTTP
@testable import MoyaNIOTransport

@Suite("A connection of HTTP/1.1 serves one request after another", .timeLimit(.minutes(5)))
struct HTTP1ConnectionTests {
    /// One connection without a pool, and its reports to the owner.
    private final class Harness: Sendable {
        struct Seen: Sendable {
            var events: [HTTP1Connection.Event] = []
            var errors: [any Error] = []
        }

        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let connector: Connector
        let seen = Locked(Seen())
        /// A request that runs as soon as the connection is free, like one that waits in a pool.
        let next = Locked<OutboundRequest?>(nil)
        private let box: NIOLoopBoundBox<(connection: HTTP1Connection, channel: any Channel)?>

        init(_ url: URL, _ configuration: TransportConfiguration = .init()) throws {
            connector = try ConnectionSettings(configuration).connector(
                for: try #require(Origin(url)),
                host: url.host ?? ""
            )
            box = .makeEmptyBox(eventLoop: loop)
        }

        func connect(below: (@Sendable () -> any ChannelHandler & Sendable)? = nil) async throws {
            try await loop.flatSubmit { [self] in
                connector.connect(on: loop).result.flatMapThrowing { [self] connected in
                    let connection = HTTP1Connection(
                        on: loop,
                        closeNow: connected.closeNow,
                        fail: { [self] exchange, error in
                            seen.withLock { $0.errors.append(error) }
                            exchange.failed(URLError(connectionError: error, url: exchange.url))
                        },
                        report: { [self] event in
                            seen.withLock { $0.events.append(event) }
                            if case .returned(let request) = event {
                                let error = RequestNotProcessedError()
                                request.exchange.failed(URLError(connectionError: error, url: request.exchange.url))
                            }
                            guard case .freed = event, let request = next.withLock({ $0.take() }) else { return }
                            box.value?.connection.run(request)
                        }
                    )
                    let pipeline = connected.channel.pipeline.syncOperations
                    if let below { try pipeline.addHandler(below()) }
                    try pipeline.addHandler(connection)
                    box.value = (connection, connected.channel)
                }
            }.get()
        }

        /// Runs a request, and returns its response.
        func run(_ request: TransportRequest, cancelled: Bool = false) async throws -> TransportResponse {
            let exchange = Exchange(request)
            let body: OutboundMessage.Body = try request.body.map { .reader(try $0.open()) } ?? .none
            let message = try ConnectionPool(connector, on: [loop])
                .makeRequest(request, body: body, exchange: exchange)
            return try await exchange.perform { [self] in
                if cancelled { exchange.cancel() }
                loop.execute { [self] in box.value?.connection.run(message) }
            }
        }

        /// Runs two requests, the second as soon as the connection is free, and returns their bodies.
        func run(_ first: TransportRequest, then second: TransportRequest) async throws -> [Result<Data, any Error>] {
            let exchange = Exchange(second)
            let message = try ConnectionPool(connector, on: [loop])
                .makeRequest(second, body: .none, exchange: exchange)
            next.withLock { $0 = message }
            async let body = exchange.perform {}.collected()
            let firstBody = try await run(first).collected()
            do {
                return [.success(firstBody), .success(try await body)]
            } catch {
                return [.success(firstBody), .failure(error)]
            }
        }

        /// Cancels the running request of a connection, and returns whether its channel is closed immediately.
        func cancel(_ request: TransportRequest, when isTime: @Sendable () async -> Void) async throws -> Bool {
            let exchange = Exchange(request)
            let message = try ConnectionPool(connector, on: [loop])
                .makeRequest(request, body: .none, exchange: exchange)
            async let response = exchange.perform { [self] in
                loop.execute { [self] in box.value?.connection.run(message) }
            }
            _ = try await response
            await isTime()
            return try await loop.submit { [self] in
                guard let channel = box.value?.channel else { return false }
                exchange.cancel()
                return !channel.isActive
            }.get()
        }

        /// Shuts the connection down, and returns whether its channel is closed immediately.
        func shutDown() async throws -> Bool {
            try await loop.submit { [self] in
                guard let (connection, channel) = box.value else { return false }
                connection.shutDown()
                return !channel.isActive
            }.get()
        }

        /// Waits until an exchange is over and the connection can be reused, or until a request was not sent.
        func waitForFree(unused: Bool = false) async {
            while !seen.withLock({
                $0.events.contains {
                    switch $0 {
                    case .freed: !unused
                    case .unused: unused
                    default: false
                    }
                }
            }) {
                await Task.yield()
            }
        }
    }

    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    /// A server that responds to each request and records its path.
    private static func server(noting paths: Locked<[String]>) async throws -> RawServer {
        try await RawServer { connection in
            while let head = try await connection.head() {
                paths.withLock { $0.append(head.path) }
                try await connection.writer.write(ok)
            }
        }
    }

    /// Runs a test with a server and a transport with one connection to it at a time.
    private func run(
        _ serve: @escaping @Sendable (RawConnection) async throws -> Void,
        then body: (NIOTransport, RawServer) async throws -> Void
    ) async throws {
        let server = try await RawServer(serve)
        let transport = NIOTransport(maximumConnectionsPerHost: 1)
        try await transport.shutDown(after: { try await body(transport, server) })
        await server.shutDown()
    }

    @Test(
        "the beginning of an unrequested response is not a part of the next response (RFC 9112, section 11.2)",
        arguments: [
            "HTTP/1.1 200 OK\r\nX-Evil: 1\r\nX-Rest: ", "HTTP", "\r", "\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nevil",
        ]
    )
    func incompleteExcess(excess: String) async throws {
        let connections = Locked(0)
        try await run { connection in
            connections.withLock { $0 += 1 }
            while try await connection.head() != nil { try await connection.writer.write(Self.ok + excess) }
        } then: { transport, server in
            for _ in 0..<5 {
                let response = try await transport.send(TransportRequest(method: .get, url: server.url()))
                #expect(response.headers.map(\.name.rawName) == ["Content-Length"])
                #expect(try await response.collected() == Data("ok".utf8))
            }
            #expect(connections.withLock { $0 } == 5)
        }
    }

    @Test("bytes on an idle HTTP/1.1 connection close it")
    func idleBytes() async throws {
        let isClosed = Promise<Void>()
        let count = Locked(0)
        try await run { connection in
            _ = try await connection.head()
            try await connection.writer.write(Self.ok)
            let isFirst = count.withLock { count in
                count += 1
                return count == 1
            }
            guard isFirst else { return }
            try await connection.writer.write("HTTP/1.1 200 OK\r\nX-Evil: ")
            await connection.waitUntilClosed()
            isClosed.fulfill(())
        } then: { transport, server in
            let request = TransportRequest(method: .get, url: server.url())
            _ = try await transport.send(request).collected()
            await isClosed.wait()
            let response = try await transport.send(request)
            #expect(response.headers.map(\.name.rawName) == ["Content-Length"])
        }
    }

    @Test(
        "an HTTP/1.1 connection carries no request after a request with `Connection: close`",
        arguments: ["close", "x, Close"]
    )
    func requestCloses(value: String) async throws {
        let counts = Locked<[Int]>([])
        try await run { connection in
            var count = 0
            defer { counts.withLock { [count] in $0.append(count) } }
            while try await connection.head() != nil {
                count += 1
                try await connection.writer.write(Self.ok)
            }
        } then: { transport, server in
            let request = TransportRequest(method: .get, url: server.url(), headers: [.connection: value])
            for _ in 0..<3 { try await expectEqual(transport.send(request).collected(), Data("ok".utf8)) }
        }
        #expect(counts.withLock { $0 } == [1, 1, 1])
    }

    @Test("an HTTP/1.1 connection carries no request after a refused large upload", arguments: [413, 307])
    func refusedUpload(status: Int) async throws {
        let connections = Locked(0)
        try await run { connection in
            connections.withLock { $0 += 1 }
            while try await connection.head() != nil {
                _ = try await connection.body()
                try await connection.writer.write("HTTP/1.1 \(status) Refused\r\nContent-Length: 2\r\n\r\nno")
            }
        } then: { transport, server in
            for (size, expected) in [(100, 1), (100, 1), (100_000, 1), (100_000, 2), (100, 3), (100, 3)] {
                let body = HTTPBody.data(Data(repeating: 1, count: size))
                let request = TransportRequest(method: .post, url: server.url(), body: body)
                try await expectEqual(transport.send(request).collected(), Data("no".utf8))
                #expect(connections.withLock { $0 } == expected)
            }
        }
    }

    @Test("an HTTP/1.1 connection carries further requests after a refused small file")
    func refusedFile() async throws {
        let file = try TemporaryFile()
        try file.truncate(at: 100)
        let connections = Locked(0)
        try await run { connection in
            connections.withLock { $0 += 1 }
            while try await connection.head() != nil {
                _ = try await connection.body()
                try await connection.writer.write("HTTP/1.1 404 -\r\nContent-Length: 2\r\n\r\nno")
            }
        } then: { transport, server in
            for _ in 0..<50 {
                let request = TransportRequest(method: .put, url: server.url(), body: .file(file.url))
                try await expectEqual(transport.send(request).collected(), Data("no".utf8))
            }
            // The response may arrive before the connection learns that the file has ended.
            #expect(connections.withLock { $0 } < 50)
        }
    }

    @Test(
        "the error for an unsupported transfer coding, conflicting lengths or another HTTP version names the reason"
    )
    func unreadable() async throws {
        let responses = Locked([
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
            "HTTP/2.0 200 OK\r\nContent-Length: 0\r\n\r\n",
        ])
        try await run { connection in
            _ = try await connection.head()
            try await connection.writer.write(responses.withLock { $0.removeFirst() })
        } then: { transport, server in
            for word in ["\"gzip, chunked\"", "Content-Length", "HTTP/1.1"] {
                let request = TransportRequest(method: .get, url: server.url())
                let error = await #expect(throws: URLError.self) { try await transport.send(request).collected() }
                #expect(error?.code == .cannotParseResponse)
                #expect(error?.localizedDescription.contains(word) == true, "\(String(describing: error))")
            }
        }
    }

    @Test("interim responses are skipped, however their bytes are split")
    func interim() async throws {
        try await run { connection in
            while try await connection.head() != nil {
                let text = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\n" + Self.ok
                for byte in text.utf8 { try await connection.writer.write(Data([byte])) }
            }
        } then: { transport, server in
            for _ in 0..<3 {
                let request = TransportRequest(method: .post, url: server.url(), body: .data(Data("b".utf8)))
                try await expectEqual(transport.send(request).collected(), Data("ok".utf8))
            }
        }
    }

    @Test("the error for a connection closed before the response tells whether the connection was reused")
    func closed() async throws {
        for served in 0...1 {
            let server = try await RawServer { connection in
                for _ in 0..<served {
                    _ = try await connection.head()
                    try await connection.writer.write(Self.ok)
                }
                _ = try await connection.head()
            }
            let harness = try Harness(server.url())
            try await harness.connect()
            let request = TransportRequest(method: .get, url: server.url())
            for _ in 0..<served { _ = try await harness.run(request).collected() }
            await #expect(throws: URLError.self) { try await harness.run(request).collected() }
            let error = harness.seen.withLock { $0.errors.first } as? ConnectionClosed
            #expect(error?.allowsResend == (served == 1))
            await server.shutDown()
        }
    }

    @Test("a request without a response reports that idle connections may be stale only on a reused connection")
    func noResponse() async throws {
        for served in 0...1 {
            let server = try await RawServer { connection in
                for _ in 0..<served {
                    _ = try await connection.head()
                    try await connection.writer.write(Self.ok)
                }
                await connection.waitUntilClosed()
            }
            let harness = try Harness(server.url())
            try await harness.connect()
            var request = TransportRequest(method: .get, url: server.url())
            for _ in 0..<served { _ = try await harness.run(request).collected() }
            request.idleTimeout = .milliseconds(300)
            let error = await #expect(throws: URLError.self) { try await harness.run(request).collected() }
            #expect(error?.code == .timedOut)
            let events = harness.seen.withLock { $0.events }
            #expect(events.contains { if case .noResponse = $0 { true } else { false } } == (served == 1))
            await server.shutDown()
        }
    }

    @Test("a request whose connection ends within the response fails with networkConnectionLost")
    func truncated() async throws {
        for text in ["HTTP/1.1 200 OK\r\nContent-Le", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nab"] {
            let server = try await RawServer { connection in
                _ = try await connection.head()
                try await connection.writer.write(text)
            }
            let harness = try Harness(server.url())
            try await harness.connect()
            let request = TransportRequest(method: .get, url: server.url())
            let error = await #expect(throws: URLError.self) { try await harness.run(request).collected() }
            #expect(error?.code == .networkConnectionLost)
            #expect(harness.seen.withLock { $0.errors.first } is ResponseTruncated)
            await server.shutDown()
        }
    }

    @Test("a request that has already ended is not written, and its connection is free for the next request")
    func overBeforeItBegins() async throws {
        let paths = Locked<[String]>([])
        let server = try await Self.server(noting: paths)
        let harness = try Harness(server.url())
        try await harness.connect()
        let over = TransportRequest(method: .get, url: server.url("/over"))
        let error = await #expect(throws: URLError.self) { try await harness.run(over, cancelled: true) }
        #expect(error?.code == .cancelled)
        await harness.waitForFree(unused: true)
        let body = try await harness.run(TransportRequest(method: .get, url: server.url("/next"))).collected()
        #expect(body == Data("ok".utf8))
        #expect(paths.withLock { $0 } == ["/next"])
        await server.shutDown()
    }

    /// Adds bytes to the first read, before its end.
    private final class Adding: ChannelInboundHandler, Sendable {
        typealias InboundIn = ByteBuffer
        typealias InboundOut = ByteBuffer

        private let bytes: ByteBuffer
        private let isFirst = Locked(true)

        init(_ text: String) { bytes = ByteBuffer(string: text) }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            context.fireChannelRead(data)
            let isFirst = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            if isFirst, bytes.readableBytes > 0 { context.fireChannelRead(wrapInboundOut(bytes)) }
        }
    }

    @Test(
        "a waiting request begins after the current read, and excess bytes of that read do not belong to its response",
        arguments: ["", "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil"]
    )
    func waitsForTheRead(excess: String) async throws {
        let paths = Locked<[String]>([])
        let server = try await Self.server(noting: paths)
        let harness = try Harness(server.url())
        try await harness.connect(below: { Adding(excess) })
        let results = try await harness.run(
            TransportRequest(method: .get, url: server.url("/first")),
            then: TransportRequest(method: .get, url: server.url("/second"))
        )
        #expect(try results[0].get() == Data("ok".utf8))
        if excess.isEmpty {
            #expect(try results[1].get() == Data("ok".utf8))
            #expect(paths.withLock { $0 } == ["/first", "/second"])
        } else {
            let error = #expect(throws: URLError.self) { try results[1].get() }
            #expect(error?.isRequestUnprocessed == true)
            #expect(paths.withLock { $0 } == ["/first"])
        }
        await server.shutDown()
    }

    @Test("consecutive requests use one connection, on whichever thread their tasks continue")
    func oneConnection() async throws {
        let count = Locked(0)
        let server = try await RawServer { connection in
            count.withLock { $0 += 1 }
            while try await connection.head() != nil { try await connection.writer.write(Self.ok) }
        }
        let transport = NIOTransport(maximumConnectionsPerHost: 6)
        try await transport.shutDown(after: {
            for _ in 0..<500 {
                _ = try await transport.send(TransportRequest(method: .get, url: server.url())).collected()
            }
        })
        #expect(count.withLock { $0 } == 1)
        await server.shutDown()
    }

    /// A channel that is closed by the first write.
    private final class Breaking: ChannelOutboundHandler, Sendable {
        typealias OutboundIn = ByteBuffer

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            promise?.fail(ChannelError.ioOnClosedChannel)
            context.close(promise: nil)
        }
    }

    @Test("the file of a request's body is closed if writing the request fails immediately")
    func failsAtOnce() async throws {
        let server = try await RawServer { await $0.waitUntilClosed() }
        let file = try TemporaryFile()
        try file.truncate(at: 8 << 20)
        for _ in 0..<20 {
            let harness = try Harness(server.url())
            try await harness.connect(below: { Breaking() })
            let request = TransportRequest(method: .put, url: server.url(), body: .file(file.url))
            let error = await #expect(throws: URLError.self) { try await harness.run(request) }
            #expect(error?.code == .networkConnectionLost)
        }
        try await file.waitForDescriptors()
        await server.shutDown()
    }

    @Test(
        "a cancelled HTTP/1.1 request closes the connection at once, also below TLS, which would continue to receive",
        arguments: [false, true]
    )
    func cancel(overTLS: Bool) async throws {
        let authority = try TestAuthority()
        let server = try await SecureServer(
            tls: overTLS ? authority.issue().serverConfiguration() : nil,
            http2: false
        )
        let url = server.url("/endless", scheme: overTLS ? "https" : "http")
        let harness = try Harness(url, try TransportConfiguration(trusting: authority))
        try await harness.connect()
        let request = TransportRequest(method: .get, url: url, responseBufferLimit: 0)
        #expect(try await harness.cancel(request) {})
        #expect(await server.waitUntilClosed() != nil)
        try await server.shutDown()
    }

    @Test("an idle HTTP/1.1 connection is shut down immediately without waiting for the server's TLS closure")
    func shutDown() async throws {
        let authority = try TestAuthority()
        let server = try await RawServer(tls: authority.issue().serverConfiguration()) { connection in
            _ = try await connection.head()
            try await connection.writer.write(Self.ok)
            await connection.waitUntilClosed()
        }
        let url = try #require(URL(string: "https://localhost:\(server.port)/"))
        let harness = try Harness(url, try TransportConfiguration(trusting: authority))
        try await harness.connect()
        _ = try await harness.run(TransportRequest(method: .get, url: url)).collected()
        await harness.waitForFree()
        #expect(try await harness.shutDown())
        await server.shutDown()
    }
}
#endif
