import Foundation
import NIOConcurrencyHelpers
import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOPosix
import NIOSSL

/// A server on a free loopback port that speaks HTTP/1.1 or HTTP/2, over TLS by default.
///
/// - `/echo`: the request's body as it is received.
/// - `/never`: no response.
/// - `/endless`: a body without end.
/// - `/goAway`: over HTTP/2, the server sends GOAWAY before the response, and accepts no more requests on the connection.
/// - `/refused`: over HTTP/2, the stream is refused.
/// - `/refusedOnce`: the stream of the first request with each method is refused; later requests get a response.
/// - `/goneOnce`: like `/refusedOnce`, but the server refuses the first request with GOAWAY.
/// - any other path: a body with method, path and HTTP version, such as `GET /path 2`.
public final class SecureServer: Sendable {
    /// An event of the server.
    public enum Event: Equatable, Sendable {
        /// A request's head: `GET /path`, with the version of HTTP and the host.
        case request(String, version: Int, host: String?)
        /// A request or a response ended before it was complete.
        case brokenOff(String)
        /// A connection ended, after this number of received bytes, counted after decryption.
        case closed(bytes: Int)
    }

    /// The server's port.
    public let port: Int
    /// The events of the server, for one reader.
    public let events: AsyncStream<Event>

    private let channel: any Channel
    private let eventsEnd: AsyncStream<Event>.Continuation

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - tls: The TLS configuration; `nil` for a server without TLS.
    ///   - http2: Whether HTTP/2 is negotiated.
    ///   - unixSocketPath: The path of a Unix socket in place of a port.
    ///   - stalledConnections: The number of first connections on which the server never responds, not even in the TLS handshake.
    /// - Throws: The error of the server's socket.
    public init(tls: TLSConfiguration?, http2: Bool = true, unixSocketPath: String? = nil, stalledConnections: Int = 0)
        async throws
    {
        let stalled = NIOLockedValueBox(stalledConnections)
        let (events, eventsEnd) = AsyncStream<Event>.makeStream()
        var tls = tls
        tls?.applicationProtocols = http2 ? ["h2", "http/1.1"] : ["http/1.1"]
        let context = try tls.map { try NIOSSLContext(configuration: $0) }
        let report: @Sendable (Event) -> Void = { eventsEnd.yield($0) }
        let refused = NIOLockedValueBox<Set<String>>([])
        let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.backlog, value: 256)
            .childChannelInitializer { channel in
                let isStalled = stalled.withLockedValue { count in
                    count -= 1
                    return count >= 0
                }
                guard !isStalled else { return channel.eventLoop.makeSucceededVoidFuture() }
                return channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    if let context { try pipeline.addHandler(NIOSSLServerHandler(context: context)) }
                    try pipeline.addHandler(SecureConnection(report: report))
                }.flatMap {
                    guard context != nil else {
                        return channel.pipeline.configureHTTPServerPipeline().flatMapThrowing {
                            try channel.pipeline.syncOperations.addHandler(
                                SecureExchange(refused: refused, report: report)
                            )
                        }
                    }
                    return channel.configureCommonHTTPServerPipeline { stream in
                        stream.eventLoop.makeCompletedFuture {
                            try stream.pipeline.syncOperations.addHandler(
                                SecureExchange(refused: refused, report: report)
                            )
                        }
                    }
                }
            }
        if let unixSocketPath {
            channel = try await bootstrap.bind(unixDomainSocketPath: unixSocketPath).get()
        } else {
            channel = try await bootstrap.bind(host: "127.0.0.1", port: 0).get()
        }
        port = channel.localAddress?.port ?? 0
        self.events = events
        self.eventsEnd = eventsEnd
    }

    /// A URL of the server.
    public func url(_ path: String = "/", host: String = "localhost", scheme: String = "https") -> URL {
        URL(string: "\(scheme)://\(host):\(port)\(path)") ?? URL(fileURLWithPath: "/")
    }

    /// Waits for the end of a connection, and returns the events before it and the number of bytes received.
    ///
    /// The result is `nil` if the server is shut down first.
    public func waitUntilClosed() async -> (events: [Event], bytes: Int)? {
        var seen: [Event] = []
        for await event in events {
            if case .closed(let bytes) = event { return (seen, bytes) }
            seen.append(event)
        }
        return nil
    }

    /// Waits for an event, and returns false if the server is shut down first.
    public func waitForEvent(where isMatch: (Event) -> Bool) async -> Bool {
        for await event in events where isMatch(event) { return true }
        return false
    }

    /// Stops listening.
    public func shutDown() async throws {
        try await channel.close()
        eventsEnd.finish()
    }
}

/// Counts the received bytes of one connection.
private final class SecureConnection: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let report: @Sendable (SecureServer.Event) -> Void
    private var bytes = 0

    init(report: @escaping @Sendable (SecureServer.Event) -> Void) { self.report = report }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        bytes += unwrapInboundIn(data).readableBytes
        context.fireChannelRead(data)
    }

    func channelInactive(context: ChannelHandlerContext) {
        report(.closed(bytes: bytes))
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}

/// Responds to the requests of a connection, or to the request of a stream.
private final class SecureExchange: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    /// The requests that have been refused once.
    private let refused: NIOLockedValueBox<Set<String>>
    private let report: @Sendable (SecureServer.Event) -> Void
    private var head: HTTPRequestHead?

    init(
        refused: NIOLockedValueBox<Set<String>>,
        report: @escaping @Sendable (SecureServer.Event) -> Void
    ) {
        self.refused = refused
        self.report = report
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            self.head = head
            report(
                .request(
                    "\(head.method.rawValue) \(head.uri)",
                    version: head.version.major,
                    host: head.headers["host"].first
                )
            )
            if head.uri == "/echo" || head.uri == "/endless" { write(head: [:], context) }
            if head.uri == "/endless" { sendWithoutEnd(context) }
        case .body(let buffer):
            if head?.uri == "/echo" { context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(buffer))), promise: nil) }
        case .end:
            guard let head else { return }
            switch head.uri {
            case "/never", "/endless": return
            case "/refused": return refuse(context)
            case "/refusedOnce" where isFirst(head): return refuse(context)
            case "/goneOnce" where isFirst(head): return goAway(after: 0, context)
            case "/echo": break
            default:
                if head.uri == "/goAway" { goAway(after: .maxID, context) }
                let text = "\(head.method.rawValue) \(head.uri) \(head.version.major)"
                write(head: ["Content-Length": "\(text.utf8.count)"], context)
                context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: text)))), promise: nil)
            }
            self.head = nil
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        }
    }

    private func isFirst(_ head: HTTPRequestHead) -> Bool {
        refused.withLockedValue { $0.insert("\(head.method) \(head.uri)").inserted }
    }

    private func refuse(_ context: ChannelHandlerContext) {
        guard let stream = try? context.channel.syncOptions?.getOption(HTTP2StreamChannelOptions.streamID) else {
            return
        }
        context.channel.parent?.writeAndFlush(
            HTTP2Frame(streamID: stream, payload: .rstStream(.refusedStream)),
            promise: nil
        )
    }

    private func goAway(after last: HTTP2StreamID, _ context: ChannelHandlerContext) {
        let payload = HTTP2Frame.FramePayload.goAway(lastStreamID: last, errorCode: .noError, opaqueData: nil)
        context.channel.parent?.writeAndFlush(HTTP2Frame(streamID: .rootStream, payload: payload), promise: nil)
    }

    private func write(head fields: HTTPHeaders, _ context: ChannelHandlerContext) {
        let response = HTTPResponseHead(version: head?.version ?? .http1_1, status: .ok, headers: fields)
        context.writeAndFlush(wrapOutboundOut(.head(response)), promise: nil)
    }

    private func sendWithoutEnd(_ context: ChannelHandlerContext) {
        let done = context.eventLoop.makePromise(of: Void.self)
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        done.futureResult.whenSuccess {
            // The next write is scheduled, because an immediate write would recurse without end if the kernel took all bytes.
            bound.eventLoop.execute {
                let (handler, context) = bound.value
                if context.channel.isActive { handler.sendWithoutEnd(context) }
            }
        }
        context.writeAndFlush(
            wrapOutboundOut(.body(.byteBuffer(ByteBuffer(repeating: 0, count: 10_000)))),
            promise: done
        )
    }

    func channelInactive(context: ChannelHandlerContext) {
        if let head { report(.brokenOff("\(head.method.rawValue) \(head.uri)")) }
        head = nil
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
