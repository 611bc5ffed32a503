#if NIO && !canImport(Darwin)
import Foundation
import FoundationNetworking
import NIOCore
import NIOEmbedded
import TestServers
import Testing

@testable import MoyaHTTP
@testable import MoyaNIOTransport

@Suite("Received bytes restart the idle timeout", .timeLimit(.minutes(5)))
struct IdleBytesTests {
    /// The idle time of a run and the pauses of its server.
    private final class Pace: Sendable {
        private struct State {
            /// The times of the server's last write, or of the request, by path.
            var lastWrites: [String: ContinuousClock.Instant] = [:]
            var longestPause = Duration.zero

            mutating func recordWrite(_ path: String) {
                let now = ContinuousClock.now
                if let last = lastWrites.updateValue(now, forKey: path) {
                    longestPause = max(longestPause, now - last)
                }
            }
        }

        let idle: Duration
        private let state = Locked(State())

        init(idle: Duration) { self.idle = idle }

        /// Whether the server pauses, or paused, so long that a request may time out correctly.
        var isTooSlow: Bool {
            state.withLock { state in
                let now = ContinuousClock.now
                return state.lastWrites.values.reduce(state.longestPause) { max($0, now - $1) } > idle / 2
            }
        }

        /// Creates the request for a path whose server calls ``drip(_:_:)``.
        func request(_ url: URL, body: HTTPBody? = nil) -> TransportRequest {
            state.withLock { $0.recordWrite(url.path) }
            var request = TransportRequest(method: body == nil ? .get : .put, url: url, body: body)
            (request.idleTimeout, request.exchangeTimeout) = (idle, .seconds(200))
            return request
        }

        /// Calls a function at short intervals for longer than the idle time.
        func drip(_ path: String, _ body: (Int) async throws -> Void) async throws {
            let end = ContinuousClock.now + idle * 1.5
            var count = 0
            while ContinuousClock.now < end {
                try await body(count)
                state.withLock { $0.recordWrite(path) }
                count += 1
                try await Task.sleep(for: idle / 50)
            }
        }

        /// Runs a test, and repeats it with more time if the machine is too busy for the server.
        static func run(_ body: (Pace) async throws -> Void) async throws {
            for seconds in [1, 5] {
                let pace = Pace(idle: .seconds(seconds))
                do { return try await body(pace) } catch  where pace.isTooSlow { continue }
            }
            try await body(Pace(idle: .seconds(25)))
        }
    }

    /// For each path, the bytes that the server writes first, the bytes that it repeats, and the last bytes.
    static let http1: [(path: String, before: String, repeated: String, after: String)] = [
        (
            "/interim", "", "HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
        ),
        ("/status", "HTTP/1.1 200 O", "K", "\r\nContent-Length: 2\r\n\r\nok"),
        ("/head", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nA: b", "c", "\r\n\r\nok"),
        ("/fields", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n", "A: b\r\n", "\r\nok"),
        (
            "/extension", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;a=", "b",
            "\r\nok\r\n0\r\n\r\n"
        ),
        (
            "/trailers", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n", "A: b\r\n", "\r\n"
        ),
    ]

    @Test(
        "interim responses, partial heads, chunk extensions and trailers restart the idle time over HTTP/1.1",
        arguments: [false, true]
    )
    func http1(overTLS: Bool) async throws {
        try await Pace.run { try await http1(overTLS: overTLS, $0) }
    }

    private func http1(overTLS: Bool, _ pace: Pace) async throws {
        let authority = try TestAuthority()
        let server = try await RawServer(tls: overTLS ? authority.issue().serverConfiguration() : nil) {
            connection in
            while let head = try await connection.head() {
                guard let row = Self.http1.first(where: { $0.path == head.path }) else { return }
                try await connection.writer.write(row.before)
                try await pace.drip(row.path) { _ in try await connection.writer.write(row.repeated) }
                try await connection.writer.write(row.after)
            }
        }
        var configuration = try TransportConfiguration(trusting: authority)
        configuration.maximumConnectionsPerHost = Self.http1.count
        let transport = try NIOTransport(connection: configuration)
        try await transport.shutDown(after: {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for row in Self.http1 {
                    let url = URL(string: "\(overTLS ? "https" : "http")://localhost:\(server.port)\(row.path)")
                    let request = pace.request(try #require(url))
                    group.addTask {
                        let body = try await transport.send(request).collected()
                        #expect(body == Data("ok".utf8), "\(row.path)")
                    }
                }
                try await group.waitForAll()
            }
        })
        await server.shutDown()
    }

    /// Returns the frame that the server sends repeatedly for a path, within or outside a header section.
    private static func frames(_ path: String, _ stream: UInt32, _ count: Int) -> [RawFrame] {
        switch path {
        case "/interim":
            [
                RawFrame(
                    RawFrame.Kind.headers,
                    RawFrame.endHeaders,
                    stream,
                    HTTP2Peer.block([(":status", "103")])
                )
            ]
        // This DATA has only two bytes of padding.
        case "/padding": [RawFrame(RawFrame.Kind.data, 0x8, stream, [2, 0, 0])]
        case "/window": [RawFrame(RawFrame.Kind.windowUpdate, 0, stream, [0, 0, 0, 1])]
        case "/priority": [RawFrame(RawFrame.Kind.priority, 0, stream, [0, 0, 0, 0, 1])]
        case "/unknown": [RawFrame(0x42, 0xff, stream, [1, 2, 3])]
        default: []
        }
    }

    @Test(
        "any frame of an HTTP/2 stream, and a partial frame, restarts the idle time",
        arguments: [
            "/interim", "/padding", "/window", "/priority", "/unknown", "/continuation", "/trailers", "/part",
        ]
    )
    func http2(path: String) async throws {
        try await Pace.run { try await http2(path: path, $0) }
    }

    private func http2(path: String, _ pace: Pace) async throws {
        try await HTTP2Live.run { peer in
            while let request = try await peer.request() {
                let stream = request.stream
                switch path {
                case "/continuation":
                    try await peer.send(
                        RawFrame(RawFrame.Kind.headers, 0, stream, HTTP2Peer.block([(":status", "200")]))
                    )
                    try await pace.drip(path) { _ in
                        try await peer.send(
                            RawFrame(RawFrame.Kind.continuation, 0, stream, HTTP2Peer.block([("a", "b")]))
                        )
                    }
                    try await peer.send(RawFrame(RawFrame.Kind.continuation, RawFrame.endHeaders, stream, []))
                    try await peer.send(data: "ok", on: stream, isEnd: true)
                case "/trailers":
                    try await peer.send(headers: [(":status", "200")], on: stream)
                    try await peer.send(data: "ok", on: stream)
                    try await peer.send(
                        RawFrame(RawFrame.Kind.headers, RawFrame.end, stream, HTTP2Peer.block([("a", "b")]))
                    )
                    try await pace.drip(path) { _ in
                        try await peer.send(RawFrame(RawFrame.Kind.continuation, 0, stream, []))
                    }
                    try await peer.send(RawFrame(RawFrame.Kind.continuation, RawFrame.endHeaders, stream, []))
                case "/part":
                    // One frame whose 1,000 bytes are sent one by one.
                    try await peer.send(headers: [(":status", "200")], on: stream)
                    try await peer.send(
                        bytes: [0, 3, 0xe8, RawFrame.Kind.data, RawFrame.end] + HTTP2Peer.bytes(stream)
                    )
                    var sent = 0
                    try await pace.drip(path) { _ in
                        try await peer.send(bytes: [0x78])
                        sent += 1
                    }
                    try await peer.send(bytes: Array(repeating: 0x78, count: 1_000 - sent))
                case "/padding":
                    try await peer.send(headers: [(":status", "200")], on: stream)
                    try await pace.drip(path) { try await peer.send(Self.frames(path, stream, $0)) }
                    try await peer.send(data: "ok", on: stream, isEnd: true)
                default:
                    try await pace.drip(path) { try await peer.send(Self.frames(path, stream, $0)) }
                    try await peer.respond(on: stream)
                }
            }
        } then: { transport, server in
            let body = try await transport.send(pace.request(server.url(path))).collected()
            #expect(path == "/part" ? body.count == 1_000 : body == Data("ok".utf8))
        }
    }

    /// A body of which the sockets take only a part at once.
    private static let longBody = HTTPBody.data(Data(count: 8 << 20))

    @Test("a body that the server reads slowly restarts the idle time over HTTP/1.1")
    func slowBody() async throws {
        try await Pace.run { pace in
            let server = try await RawServer(receiveBuffer: 16_384) { connection in
                guard try await connection.head() != nil else { return }
                try await pace.drip("/") { _ in _ = try await connection.bodyPiece() }
                while try await connection.bodyPiece() != nil {}
                try await connection.writer.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            }
            let transport = NIOTransport()
            try await transport.shutDown(after: {
                let request = pace.request(server.url(), body: Self.longBody)
                try await expectEqual(transport.send(request).collected(), Data("ok".utf8))
            })
            await server.shutDown()
        }
    }

    @Test("a body that the server reads slowly restarts the idle time of its HTTP/2 stream")
    func slowBodyOfStream() async throws {
        let window: UInt32 = 1 << 24
        try await Pace.run { pace in
            try await HTTP2Live.run(settings: [(identifier: 4, value: window)], receiveBuffer: 16_384) { peer in
                guard let request = try await peer.request() else { return }
                try await peer.send(RawFrame(RawFrame.Kind.windowUpdate, 0, 0, [1, 0, 0, 0]))
                try await pace.drip("/") { _ in _ = try await peer.frame() }
                while let frame = try await peer.frame() {
                    if frame.type == RawFrame.Kind.data, frame.flags & RawFrame.end != 0 { break }
                }
                try await peer.respond(on: request.stream)
            } then: { transport, server in
                let request = pace.request(server.url(), body: Self.longBody)
                try await expectEqual(transport.send(request).collected(), Data("ok".utf8))
            }
        }
    }

    @Test("frames of the HTTP/2 connection or of another stream do not restart the idle time")
    func otherFrames() async throws {
        try await HTTP2Live.run { peer in
            guard let first = try await peer.request(), let second = try await peer.request() else { return }
            let streams = [first, second].sorted { $0.path < $1.path }.map(\.stream)
            try await peer.send(headers: [(":status", "200")], on: streams[0])
            while true {
                try await peer.send(
                    RawFrame(RawFrame.Kind.ping, 0, 0, Array(repeating: 7, count: 8)),
                    RawFrame(RawFrame.Kind.settings),
                    RawFrame(RawFrame.Kind.windowUpdate, 0, 0, [0, 0, 0, 1]),
                    RawFrame(RawFrame.Kind.data, 0, streams[0], [1])
                )
                try await Task.sleep(for: .milliseconds(50))
            }
        } then: { transport, server in
            var other = TransportRequest(method: .get, url: server.url("/a"), idleTimeout: .seconds(100))
            other.responseBufferLimit = 0
            let running = Task { [other] in try await transport.send(other).collected() }
            var request = TransportRequest(method: .get, url: server.url("/b"))
            request.idleTimeout = .milliseconds(500)
            let code = await HTTP2Live.code { [request] in try await transport.send(request) }
            #expect(code == .timedOut)
            running.cancel()
            await expectEqual(HTTP2Live.code { try await running.value }, .cancelled)
        }
    }

    @Test(
        "bytes that arrive while the event loop or the process stands still are read before the exchange times out",
        arguments: [700, 2_000]
    )
    func blockedLoop(milliseconds: Int) async throws {
        let isBlocked = Locked(false)
        let isWritten = DispatchSemaphore(value: 0)
        let server = try await RawServer { connection in
            guard try await connection.head() != nil else { return }
            try await connection.writer.write("HTTP/1.1 103 Early Hints\r\n\r\n")
            while !isBlocked.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(1)) }
            try await connection.writer.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            isWritten.signal()
        }
        try await ConnectionPool.withOneLoop(to: server.url()) { pool, loop in
            var request = TransportRequest(method: .get, url: server.url(), idleTimeout: .milliseconds(500))
            request.onInterimResponse = { _, _ in
                isBlocked.withLock { $0 = true }
                // The idle time ends in the meantime, and the response waits in the socket.
                loop.execute {
                    usleep(UInt32(milliseconds) * 1_000)
                    isWritten.wait()
                }
            }
            var result: Result<Data, any Error>
            repeat {
                let exchange = Exchange(request)
                let outbound = try pool.makeRequest(request, body: .none, exchange: exchange)
                result = await Result.of { try await exchange.perform { pool.start(outbound) }.collected() }
                // On a busy machine the time may be over before the interim response arrives.
            } while !isBlocked.withLock { $0 }
            #expect(try result.get() == Data("ok".utf8))
        }
        await server.shutDown()
    }

    @Test("the exchange timeout ends an exchange whose server sends single bytes")
    func totalTime() async throws {
        let server = try await RawServer { connection in
            while try await connection.head() != nil {
                while true {
                    try await connection.writer.write("HTTP/1.1 103 Early Hints\r\n\r\n")
                    try await Task.sleep(for: .milliseconds(20))
                }
            }
        }
        let transport = NIOTransport()
        try await transport.shutDown(after: {
            // A request that has no connection in time fails with another text.
            try await transport.preconnect(to: server.url(), connections: 1)
            let error = await #expect(throws: URLError.self) {
                try await transport.send(
                    TransportRequest(
                        method: .get,
                        url: server.url(),
                        idleTimeout: .seconds(100),
                        exchangeTimeout: .seconds(1)
                    )
                )
            }
            #expect(error?.code == .timedOut)
            #expect(error?.timeout == RequestTimeoutError(kind: .attempt, limit: .seconds(1)))
        })
        await server.shutDown()
    }

    @Test("bytes of an incomplete TLS record restart the idle time")
    func belowTLS() throws {
        let socket = SocketHandler()
        let channel = EmbeddedChannel()
        /// Holds all bytes, as TLS does until a record is complete.
        final class Keeper: ChannelInboundHandler {
            typealias InboundIn = ByteBuffer

            func channelRead(context: ChannelHandlerContext, data: NIOAny) {}
        }
        try channel.pipeline.syncOperations.addHandlers([socket, Keeper()])
        #expect(socket.lastRead == nil)
        let before = NIODeadline.now()
        try channel.writeInbound(ByteBuffer(bytes: [0x17]))
        let first = try #require(socket.lastRead)
        #expect(first >= before)
        try channel.writeInbound(ByteBuffer(bytes: [0x03]))
        #expect(try #require(socket.lastRead) >= first)
        _ = try channel.finish()
    }
}
#endif
