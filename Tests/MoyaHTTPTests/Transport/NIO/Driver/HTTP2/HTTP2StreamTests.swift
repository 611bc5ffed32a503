#if NIO && !canImport(Darwin)
import Foundation
import FoundationNetworking
import NIOCore
import NIOEmbedded
import TestServers
import Testing

@testable import MoyaHTTP
@testable import MoyaNIOTransport

@Suite("Requests use the streams of an HTTP/2 connection", .timeLimit(.minutes(5)))
struct HTTP2StreamTests {
    /// Returns SETTINGS_MAX_CONCURRENT_STREAMS with a value.
    private static func limit(_ count: UInt32) -> [(identifier: UInt16, value: UInt32)] { [(3, count)] }

    @Test("requests beyond the HTTP/2 server's stream limit wait and are sent in order", arguments: [1, 2, 7])
    func limit(count: Int) async throws {
        let open = Locked((now: 0, most: 0, paths: [String]()))
        try await HTTP2Live.run(settings: Self.limit(UInt32(count)), connections: 1) { peer in
            var streams: [HTTP2Request] = []
            while let request = try await peer.request() {
                streams.append(request)
                open.withLock { open in
                    open.most = max(open.most, streams.count)
                    open.paths.append(request.path)
                }
                // Another stream would be opened here if the limit were exceeded.
                if streams.count == count || request.path == "/first" {
                    for request in streams { try await peer.respond(body: request.path, on: request.stream) }
                    streams = []
                }
            }
        } then: { transport, server in
            _ = try await HTTP2Live.text(transport, server.url("/first"))
            let texts = try await withThrowingTaskGroup(of: String.self) { group in
                for number in 0..<(count * 6) {
                    group.addTask { try await HTTP2Live.text(transport, server.url("/\(number)")) }
                }
                return try await group.reduce(into: Set<String>()) { $0.insert($1) }
            }
            #expect(texts.count == count * 6)
            #expect(open.withLock { $0.most } == count)
        }
    }

    /// The ways in which a stream ends.
    enum Ending: CaseIterable { case inOneRead, inTwoReads, refused }

    @Test("the pool learns of the end of an HTTP/2 stream before the caller does", arguments: Ending.allCases)
    func poolBeforeCaller(_ ending: Ending) throws {
        let url = try #require(URL(string: "https://h/"))
        let loop = EmbeddedEventLoop()
        let connector = try ConnectionSettings(.init()).connector(for: try #require(Origin(url)), host: "h")
        let request = TransportRequest(method: .get, url: url, responseBufferLimit: 0)
        let exchange = Exchange(request)
        var isOverAtReport: [Bool] = []
        let connection = HTTP2Connection(
            on: loop,
            closeNow: {},
            fail: { $0.failed(URLError(connectionError: $1, url: $0.url)) },
            report: { event in
                switch event {
                case .streamCompleted, .streamEnded: isOverAtReport.append(exchange.isOver)
                default: break
                }
            }
        )
        let channel = EmbeddedChannel(handler: connection, loop: loop)
        channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 1), promise: nil)
        var frames = ByteBuffer()
        frames.writeHTTP2Settings([])
        try channel.writeInbound(frames)
        connection.run(
            try ConnectionPool(connector, on: [loop]).makeRequest(request, body: .none, exchange: exchange)
        )
        loop.run()
        frames.clear()
        if ending == .refused {
            frames.writeHTTP2Reset(1, .refusedStream)
        } else {
            // The index of `:status: 200` in the static table of HPACK.
            frames.writeHTTP2Headers(
                1,
                block: ByteBuffer(bytes: [0x88]),
                endStream: false,
                maximumPayload: HTTP2FrameReader.maximumPayload
            )
            if ending == .inTwoReads {
                try channel.writeInbound(frames)
                frames.clear()
            }
            frames.writeHTTP2FrameHeader(.data, .endStream, stream: 1, length: 2)
            frames.writeString("ok")
        }
        try channel.writeInbound(frames)
        #expect(isOverAtReport == [false])
        #expect(exchange.isOver)
        connection.close()
    }

    @Test("an HTTP/2 server that temporarily allows no stream gets the requests later")
    func noStreamForAWhile() async throws {
        let allows = Promise<Void>()
        let isAllowed = Locked(false)
        try await HTTP2Live.run { peer in
            guard let first = try await peer.request() else { return }
            try await peer.send(settings: [(3, 0)])
            try await peer.respond(on: first.stream)
            await allows.wait()
            isAllowed.withLock { $0 = true }
            try await peer.send(settings: [(3, 10)])
            try await HTTP2Live.echo(peer)
        } then: { transport, server in
            _ = try await HTTP2Live.text(transport, server.url())
            let cancelled = Task { try await HTTP2Live.text(transport, server.url("/never"), method: .post) }
            let waiting = Task { try await HTTP2Live.text(transport, server.url("/waits"), method: .post) }
            cancelled.cancel()
            await expectEqual(HTTP2Live.code { try await cancelled.value }, .cancelled)
            #expect(!isAllowed.withLock { $0 })
            allows.fulfill(())
            try await expectEqual(waiting.value, "/waits")
        }
    }

    @Test("a request that is cancelled or times out while it waits for an HTTP/2 stream is not sent")
    func waitingAndOver() async throws {
        let paths = Locked<[String]>([])
        let gate = Promise<Void>()
        try await HTTP2Live.run(settings: Self.limit(1), connections: 1) { peer in
            while let request = try await peer.request() {
                paths.withLock { $0.append(request.path) }
                if request.path == "/holds" { await gate.wait() }
                try await peer.respond(on: request.stream)
            }
        } then: { transport, server in
            _ = try await HTTP2Live.text(transport, server.url("/first"))
            async let held = HTTP2Live.text(transport, server.url("/holds"))
            while paths.withLock({ $0.last }) != "/holds" { try await Task.sleep(for: .milliseconds(1)) }
            let cancelled = Task {
                try await HTTP2Live.text(
                    transport,
                    server.url("/cancelled"),
                    method: .post,
                    body: .data(Data("x".utf8))
                )
            }
            let late = Task {
                var request = TransportRequest(method: .post, url: server.url("/late"))
                request.exchangeTimeout = .milliseconds(50)
                return try await transport.send(request).status
            }
            await expectEqual(HTTP2Live.code { try await late.value }, .timedOut)
            cancelled.cancel()
            await expectEqual(HTTP2Live.code { try await cancelled.value }, .cancelled)
            gate.fulfill(())
            _ = try await held
            for _ in 0..<3 { _ = try await HTTP2Live.text(transport, server.url("/last")) }
            #expect(paths.withLock { $0 } == ["/first", "/holds", "/last", "/last", "/last"])
        }
    }

    @Test("cancelled HTTP/2 streams are reset, and later frames on them are ignored")
    func lateFrames() async throws {
        let connections = Locked(0)
        try await HTTP2Live.run { peer in
            connections.withLock { $0 += 1 }
            var pending: [UInt32] = []
            while let request = try await peer.request() {
                if request.path == "/never" {
                    pending.append(request.stream)
                    continue
                }
                if request.path == "/after" {
                    // The client has reset all pending streams.
                    for stream in pending {
                        try await peer.send(headers: [(":status", "200")], on: stream)
                        try await peer.send(data: String(repeating: "x", count: 10_000), on: stream)
                        try await peer.send(RawFrame(RawFrame.Kind.windowUpdate, 0, stream, [0, 0, 0, 1]))
                        try await peer.send(headers: [("a", "b")], on: stream, isEnd: true)
                        try await peer.reset(stream, 0)
                    }
                }
                try await peer.respond(on: request.stream)
            }
        } then: { transport, server in
            _ = try await HTTP2Live.text(transport, server.url())
            let requests = (0..<200).map { _ in
                Task { try await HTTP2Live.text(transport, server.url("/never")) }
            }
            _ = try await HTTP2Live.text(transport, server.url())
            for request in requests { request.cancel() }
            for request in requests { await expectEqual(HTTP2Live.code { try await request.value }, .cancelled) }
            for _ in 0..<3 { try await expectEqual(HTTP2Live.text(transport, server.url("/after")), "ok") }
            #expect(connections.withLock { $0 } == 1)
        }
    }

    @Test("an HTTP/2 server that keeps sending on a closed stream loses the connection (RFC 9113, section 5.1)")
    func flood() async throws {
        let sent = Locked(0)
        let isEnded = Promise<Void>()
        try await HTTP2Live.run { peer in
            while let request = try await peer.request() {
                try await peer.respond(on: request.stream)
                guard request.path == "/flood" else { continue }
                // The task ends with an error, because the connection is closed.
                defer { isEnded.fulfill(()) }
                while sent.withLock({ $0 }) < 100_000_000 {
                    try await peer.send(data: String(repeating: "x", count: 16_000), on: request.stream)
                    sent.withLock { $0 += 16_000 }
                }
            }
        } then: { transport, server in
            try await expectEqual(HTTP2Live.text(transport, server.url("/flood")), "ok")
            await isEnded.wait()
            #expect(sent.withLock { $0 } < 100_000_000)
            try await expectEqual(HTTP2Live.text(transport, server.url("/next")), "ok")
        }
    }

    @Test("an early HTTP/2 response ends the upload and closes its stream (RFC 9113, section 8.1)")
    func earlyResponses() async throws {
        let resets = Locked(0)
        try await HTTP2Live.run(settings: Self.limit(2)) { peer in
            var open: Set<UInt32> = []
            while let frame = try await peer.frame() {
                switch frame.type {
                case RawFrame.Kind.headers:
                    open.insert(frame.stream)
                    try await peer.respond("413", body: "too large", on: frame.stream)
                case RawFrame.Kind.reset:
                    resets.withLock { $0 += 1 }
                default: break
                }
            }
        } then: { transport, server in
            for _ in 0..<10 {
                let body = HTTPBody.sequence(EndlessBody())
                let request = TransportRequest(method: .post, url: server.url(), body: body)
                let response = try await transport.send(request)
                #expect(response.status == 413)
                try await expectEqual(response.collected(), Data("too large".utf8))
            }
            while resets.withLock({ $0 }) < 10 { try await Task.sleep(for: .milliseconds(1)) }
        }
    }

    @Test("a shutdown ends running and waiting HTTP/2 requests and opens no connection")
    func shutdown() async throws {
        let connections = Locked(0)
        try await HTTP2Live.run(settings: Self.limit(2), connections: 1) { peer in
            connections.withLock { $0 += 1 }
            while let request = try await peer.request() {
                if request.path == "/first" { try await peer.respond(on: request.stream) }
            }
        } then: { transport, server in
            _ = try await HTTP2Live.text(transport, server.url("/first"))
            let requests = (0..<50).map { _ in Task { try await HTTP2Live.text(transport, server.url()) } }
            while connections.withLock({ $0 }) == 0 { try await Task.sleep(for: .milliseconds(1)) }
            await transport.shutdown()
            for request in requests {
                // A task that begins after the shutdown is refused.
                let code = await HTTP2Live.code { try await request.value }
                #expect(code == .cancelled || code == .resourceUnavailable)
            }
            #expect(connections.withLock { $0 } == 1)
            await expectEqual(
                HTTP2Live.code { try await HTTP2Live.text(transport, server.url()) },
                .resourceUnavailable
            )
        }
    }
}
#endif
