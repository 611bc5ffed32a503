#if NIO && !canImport(Darwin)
    import Foundation
    import NIOCore
    import NIOEmbedded
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

        @Test("HTTP/2 heads are written immediately, bodies take turns, and the amount of written data is small")
        func turns() throws {
            let url = try #require(URL(string: "https://h/"))
            let loop = EmbeddedEventLoop()
            let connector = try ConnectionSettings(.init()).connector(for: try #require(Origin(url)), host: "h")
            let pool = ConnectionPool(connector, on: [loop])
            let gate = Gate()
            let connection = HTTP2Connection(on: loop, closeNow: {}, fail: { _, _ in }, report: { _ in })
            let channel = EmbeddedChannel(loop: loop)
            try channel.pipeline.syncOperations.addHandlers([gate, connection])
            channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 1), promise: nil)
            // These windows do not limit the writes.
            var settings = ByteBuffer()
            settings.writeHTTP2Settings([.init(.initialWindowSize, 1 << 20), .init(.maximumConcurrentStreams, 100)])
            settings.writeHTTP2WindowUpdate(0, increment: 1 << 24)
            try channel.writeInbound(settings)

            let (count, size) = (20, 32 * 1024)
            var exchanges: [Exchange] = []
            for _ in 0..<count {
                let exchange = Exchange(TransportRequest(method: .post, url: url))
                exchanges.append(exchange)
                let body = OutboundMessage.Body.bytes(ByteBuffer(repeating: 1, count: size))
                connection.run(
                    try pool.makeRequest(TransportRequest(method: .post, url: url), body: body, exchange: exchange)
                )
            }
            loop.run()
            #expect(gate.frames().filter { $0.type == 1 }.count == count)
            let early = gate.frames().filter { $0.type == 0 }.reduce(0) { $0 + $1.length }
            #expect(early > 0)
            #expect(early <= 144 * 1024)
            while !gate.isEmpty {
                gate.open()
                loop.run()
            }
            let data = gate.frames().filter { $0.type == 0 }
            #expect(data.reduce(0) { $0 + $1.length } == count * size)
            #expect(data.filter { $0.flags & 1 != 0 }.count == count)
            #expect(gate.largest <= 160 * 1024)
            for exchange in exchanges { exchange.cancel() }
            connection.close()
        }
    }
#endif
