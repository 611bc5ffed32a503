#if NIO && !canImport(Darwin)
import Foundation
import NIOCore
import NIOEmbedded
import TestSupport
import Testing

@testable import MoyaHTTP
@testable import MoyaNIOTransport

@Suite("HTTP/2 output is limited while the socket sends nothing")
struct HTTP2SendingTests {
    /// Keeps writes pending until they are completed explicitly.
    private final class Gate: ChannelOutboundHandler {
        typealias OutboundIn = ByteBuffer

        private(set) var written = ByteBuffer()
        private(set) var largest = 0
        private var promises: [EventLoopPromise<Void>] = []
        private var waiting = 0

        var isEmpty: Bool { promises.isEmpty }

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            written.writeImmutableBuffer(unwrapOutboundIn(data))
            waiting += unwrapOutboundIn(data).readableBytes
            largest = max(largest, waiting)
            if let promise { promises.append(promise) }
        }

        func flush(context: ChannelHandlerContext) {}

        func open() {
            let promises = promises
            (self.promises, waiting) = ([], 0)
            for promise in promises { promise.succeed(()) }
        }

        /// Returns the type, flags, stream and length of each written frame.
        func frames() -> [(type: UInt8, flags: UInt8, stream: UInt32, length: Int)] {
            var bytes = written
            bytes.moveReaderIndex(forwardBy: 24)
            var frames: [(type: UInt8, flags: UInt8, stream: UInt32, length: Int)] = []
            while let lengthAndType: UInt32 = bytes.readInteger(), let flags: UInt8 = bytes.readInteger(),
                let stream: UInt32 = bytes.readInteger()
            {
                let length = Int(lengthAndType >> 8)
                frames.append((UInt8(lengthAndType & 0xFF), flags, stream, length))
                bytes.moveReaderIndex(forwardBy: length)
            }
            return frames
        }
    }

    /// An open connection to a server whose windows do not limit the writes.
    private struct Peer {
        let loop = EmbeddedEventLoop()
        let gate = Gate()
        let channel: EmbeddedChannel
        let connection: HTTP2Connection
        private let pool: ConnectionPool
        private let request: TransportRequest
        /// The ends of streams and the failures of exchanges, in their order.
        let ends = Recorder<String>()

        init(initialWindow: UInt32 = 1 << 20) throws {
            let url = try #require(URL(string: "https://h/"))
            let connector = try ConnectionSettings(.init()).connector(for: try #require(Origin(url)), host: "h")
            pool = ConnectionPool(connector, on: [loop])
            request = TransportRequest(method: .post, url: url)
            connection = HTTP2Connection(
                on: loop,
                closeNow: {},
                fail: { [ends] exchange, error in
                    ends.add("failed: \(exchange.hasReceivedHead)")
                    exchange.failed(URLError(connectionError: error, url: exchange.url))
                },
                report: { [ends] in if case .streamEnded = $0 { ends.add("stream ended") } }
            )
            channel = EmbeddedChannel(loop: loop)
            try channel.pipeline.syncOperations.addHandlers([gate, connection])
            channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 1), promise: nil)
            try receive {
                $0.writeHTTP2Settings([
                    .init(.initialWindowSize, initialWindow), .init(.maximumConcurrentStreams, 100),
                ])
                $0.writeHTTP2WindowUpdate(0, increment: 1 << 24)
            }
        }

        /// Passes frames to the connection in one read.
        func receive(_ write: (inout ByteBuffer) -> Void) throws {
            var frames = ByteBuffer()
            write(&frames)
            try channel.writeInbound(frames)
        }

        /// Sends a request with a body of a size, and returns its exchange.
        func send(_ size: Int) throws -> Exchange {
            let exchange = Exchange(request)
            let body = OutboundMessage.Body.bytes(ByteBuffer(repeating: 1, count: size))
            connection.run(try pool.makeRequest(request, body: body, exchange: exchange))
            return exchange
        }

        /// Sends a GET whose response is streamed, and returns its exchange.
        func sendStreamed() throws -> Exchange {
            let request = TransportRequest(method: .get, url: request.url, responseBufferLimit: 0)
            let exchange = Exchange(request)
            connection.run(try pool.makeRequest(request, body: .none, exchange: exchange))
            loop.run()
            return exchange
        }

        /// Closes the connection, and completes all writes.
        func close() {
            connection.close()
            finishWrites()
        }

        func finishWrites() {
            while !gate.isEmpty {
                gate.open()
                loop.run()
            }
        }
    }

    @Test("HTTP/2 windows that grow in small steps in one read cause one DATA frame")
    func smallSteps() throws {
        let steps: [(inout ByteBuffer, _ step: Int) -> Void] = [
            { frames, _ in frames.writeHTTP2WindowUpdate(1, increment: 1) },
            { frames, step in frames.writeHTTP2Settings([.init(.initialWindowSize, UInt32(step))]) },
            { frames, step in
                // The connection's window is irrelevant, but its growth causes a visit to all streams.
                frames.writeHTTP2WindowUpdate(1, increment: 1)
                frames.writeHTTP2WindowUpdate(0, increment: 1)
            },
        ]
        for write in steps {
            let peer = try Peer(initialWindow: 0)
            let exchange = try peer.send(1_000)
            peer.loop.run()
            #expect(!peer.gate.frames().contains { $0.type == 0 })
            try peer.receive { frames in
                for step in 1...500 { write(&frames, step) }
            }
            #expect(peer.gate.frames().filter { $0.type == 0 }.map(\.length) == [500])
            exchange.cancel()
            peer.close()
        }
    }

    @Test("trailers that cannot be sent reset their stream, whose end is reported before its exchange fails")
    func unsendableTrailers() async throws {
        let peer = try Peer(initialWindow: 0)
        let exchange = try peer.send(1_000)
        let stream = try #require(peer.connection.runningStreams.values.first)
        stream.trailers = [.eTag: String(repeating: "x", count: 100)]
        try peer.receive { frames in
            frames.writeHTTP2Settings([.init(.maximumHeaderListSize, 100)])
            // The head of the response, which is held until the end of the read, belongs to the exchange that fails.
            frames.writeHTTP2Headers(
                1,
                block: ByteBuffer(bytes: [0x88]),
                endStream: false,
                maximumPayload: HTTP2FrameReader.maximumPayload
            )
            frames.writeHTTP2WindowUpdate(1, increment: 1_000)
        }
        #expect(peer.ends.values == ["stream ended", "failed: true"])
        peer.finishWrites()
        #expect(peer.gate.frames().filter { $0.stream == 1 }.map(\.type) == [1, 0, 3])
        #expect(exchange.isOver)
        peer.close()
    }

    @Test("GOAWAY is the last HTTP/2 frame, although the end of the connection delivers held data")
    func lastFrame() async throws {
        let peer = try Peer()
        let exchange = try peer.sendStreamed()
        try peer.receive { frames in
            frames.writeHTTP2Headers(
                1,
                block: ByteBuffer(bytes: [0x88]),
                endStream: false,
                maximumPayload: HTTP2FrameReader.maximumPayload
            )
        }
        // More than half of the stream's window, of which the exchange takes a part while it has no reader.
        for _ in 0..<48 {
            try peer.receive { frames in
                frames.writeHTTP2FrameHeader(.data, [], stream: 1, length: 16_000)
                frames.writeRepeatingByte(1, count: 16_000)
            }
        }
        #expect(!exchange.isOver)
        peer.finishWrites()
        // A window of the connection must not be enlarged by 0.
        try peer.receive { $0.writeHTTP2WindowUpdate(0, increment: 0) }
        #expect(exchange.isOver)
        #expect(peer.gate.frames().last?.type == 7)
        peer.finishWrites()
        _ = try await exchange.perform {}
    }

    @Test("HTTP/2 heads are written immediately, bodies take turns, and the amount of written data is small")
    func turns() throws {
        let peer = try Peer()
        let (loop, gate) = (peer.loop, peer.gate)
        let (count, size) = (20, 32 * 1024)
        let exchanges = try (0..<count).map { _ in try peer.send(size) }
        loop.run()
        #expect(gate.frames().filter { $0.type == 1 }.count == count)
        let early = gate.frames().filter { $0.type == 0 }.reduce(0) { $0 + $1.length }
        #expect(early > 0)
        #expect(early <= 144 * 1024)
        peer.finishWrites()
        let data = gate.frames().filter { $0.type == 0 }
        #expect(data.reduce(0) { $0 + $1.length } == count * size)
        #expect(data.filter { $0.flags & 1 != 0 }.count == count)
        #expect(gate.largest <= 160 * 1024)
        for exchange in exchanges { exchange.cancel() }
        peer.close()
    }
}
#endif
