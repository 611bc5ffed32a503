import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import Workloads

/// A client over SwiftNIO with the least work: it writes constant bytes and finds the end of the response.
///
/// It parses nothing and checks nothing, so it shows the limit of clients over SwiftNIO.
final class BareClient: Sendable {
    private let channels: [any Channel]
    private let host: String
    private let port: Int

    /// Connects to a server.
    ///
    /// - Parameters:
    ///   - base: The URL of the server.
    ///   - connections: The number of connections, which are on all event loops.
    ///   - certificate: The path of the certificate that is trusted.
    /// - Throws: An error of SwiftNIO if it can't connect.
    init(_ base: URL, connections: Int, certificate: String?) async throws {
        host = base.host ?? "localhost"
        port = base.port ?? 80
        let context = try base.scheme == "https" ? Self.context(certificate) : nil
        let bootstrap = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelInitializer { [host] channel in
                channel.eventLoop.makeCompletedFuture {
                    if let context {
                        let handler = try NIOSSLClientHandler(context: context, serverHostname: host)
                        try channel.pipeline.syncOperations.addHandler(handler)
                    }
                    try channel.pipeline.syncOperations.addHandler(BareConnection())
                }
            }
        var channels: [any Channel] = []
        for _ in 0..<connections { channels.append(try await bootstrap.connect(host: host, port: port).get()) }
        self.channels = channels
    }

    /// Sends requests for a time, on each connection one after the other.
    func measure(isPost: Bool, concurrency: Int, time: Duration) async throws -> Slice {
        let clock = ContinuousClock()
        let request = request(isPost: isPost)
        let before = ProcessFigures.processorTime
        let start = clock.now
        let counts = channels.prefix(concurrency).map { channel in
            channel.eventLoop.flatSubmit {
                do {
                    let connection = try channel.pipeline.syncOperations.handler(type: BareConnection.self)
                    let end = NIODeadline.now() + .nanoseconds(Int64(time / .nanoseconds(1)))
                    return connection.run(request, until: end, on: channel.eventLoop)
                } catch {
                    return channel.eventLoop.makeFailedFuture(error)
                }
            }
        }
        var slice = Slice()
        for count in counts { slice.requests += try await count.get() }
        slice.seconds = (clock.now - start) / .seconds(1)
        slice.processorTime = ProcessFigures.processorTime - before
        return slice
    }

    private func request(isPost: Bool) -> ByteBuffer {
        var text = "\(isPost ? "POST /echo" : "GET /user") HTTP/1.1\r\nHost: \(host):\(port)\r\n"
        for (name, value) in RawClient.headers { text += "\(name): \(value)\r\n" }
        if isPost { text += "Content-Type: application/json\r\nContent-Length: \(User.json.count)\r\n" }
        text += "\r\n"
        if isPost { text += String(decoding: User.json, as: UTF8.self) }
        return ByteBuffer(string: text)
    }

    private static func context(_ certificate: String?) throws -> NIOSSLContext {
        var tls = TLSConfiguration.makeClientConfiguration()
        if let certificate { tls.trustRoots = .file(certificate) }
        return try NIOSSLContext(configuration: tls)
    }
}

private final class BareConnection: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private var context: ChannelHandlerContext?
    private var request = ByteBuffer()
    private var end = NIODeadline.now()
    private var count = 0
    private var finished: EventLoopPromise<Int>?

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    /// Sends requests until a time; the future has their number.
    func run(_ request: ByteBuffer, until end: NIODeadline, on loop: any EventLoop) -> EventLoopFuture<Int> {
        guard let context else { return loop.makeFailedFuture(ChannelError.ioOnClosedChannel) }
        self.request = request
        self.end = end
        count = 0
        let promise = loop.makePromise(of: Int.self)
        finished = promise
        context.writeAndFlush(wrapOutboundOut(request), promise: nil)
        return promise.futureResult
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let piece = unwrapInboundIn(data)
        // These bytes end the JSON, and are nowhere else in the response.
        guard piece.readableBytesView.suffix(2).elementsEqual("]}".utf8) else { return }
        count += 1
        guard NIODeadline.now() < end else {
            finished?.succeed(count)
            return finished = nil
        }
        context.writeAndFlush(wrapOutboundOut(request), promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        finished?.fail(ChannelError.eof)
        finished = nil
    }
}
