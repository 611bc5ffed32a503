import Foundation
import NIOCore
import NIOPosix
import NIOSSL

/// A server on a free loopback port whose response depends on the request's path: see ``Misbehavior``.
///
/// The server writes bytes without an HTTP library, so that it can violate every rule of HTTP.
public final class MisbehavingServer: Sendable {
    /// An event of the server.
    public enum Event: Equatable, Sendable {
        /// A request with its whole head and body.
        case request(path: String)
        /// The connection was closed within a request; the value has the received bytes, at most the first MiB.
        ///
        /// The event ``closed(path:)`` follows.
        case brokenOff(path: String, received: [UInt8])
        /// The client or the server has closed the connection that last carried this path.
        case closed(path: String)
    }

    /// The server's port.
    public let port: Int
    /// The events of the server, for one reader.
    public let events: AsyncStream<Event>

    private let channel: any Channel
    private let eventsEnd: AsyncStream<Event>.Continuation

    /// Starts a server.
    ///
    /// - Parameter tls: The TLS configuration; `nil` for a server without TLS.
    /// - Throws: The error of the server's socket.
    public init(tls: TLSConfiguration? = nil) async throws {
        let (events, eventsEnd) = AsyncStream<Event>.makeStream()
        let tls = try tls.map { try NIOSSLContext(configuration: $0) }
        channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.backlog, value: 256)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    if let tls { try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: tls)) }
                    try channel.pipeline.syncOperations.addHandler(Connection { eventsEnd.yield($0) })
                }
            }
            .bind(host: "127.0.0.1", port: 0)
            .get()
        guard let port = channel.localAddress?.port else { throw ChannelError.unknownLocalAddress }
        self.port = port
        self.events = events
        self.eventsEnd = eventsEnd
    }

    /// Returns the URL for a misbehavior.
    public func url(_ misbehavior: Misbehavior = .none, scheme: String = "http") -> URL {
        var parts = URLComponents()
        parts.scheme = scheme
        parts.host = scheme == "https" ? "localhost" : "127.0.0.1"
        parts.port = port
        parts.path = "/\(misbehavior.rawValue)"
        return parts.url ?? URL(fileURLWithPath: "/")
    }

    /// Stops listening.
    public func shutDown() async throws {
        try await channel.close()
        eventsEnd.finish()
    }

    /// Returns the next event.
    public func next() async -> Event? {
        for await event in events { return event }
        return nil
    }

    /// Waits for an event, and returns false if the events end first.
    public func wait(for event: Event) async -> Bool {
        for await seen in events where seen == event { return true }
        return false
    }
}

/// Reads the requests of a connection one after the other, and responds to them.
private final class Connection: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// The type of a record of the handshake (RFC 8446, section 5.1).
    private static let tlsHandshakeRecord: UInt8 = 22
    /// The maximum number of bytes of a request that are kept.
    private static let longestKept = 1 << 20

    private let report: @Sendable (MisbehavingServer.Event) -> Void
    private var parser = RequestParser()
    private var received: [UInt8] = []
    private var path = ""

    init(report: @escaping @Sendable (MisbehavingServer.Event) -> Void) { self.report = report }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data)
        received += bytes.readableBytesView.prefix(max(0, Self.longestKept - received.count))
        if received.first == Self.tlsHandshakeRecord {
            // A server without TLS responds in this way to a client with TLS.
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: "HTTP/1.1 400 Bad Request\r\n\r\n")), promise: nil)
            context.close(promise: nil)
            return
        }
        parser.push(bytes)
        do {
            while let event = try parser.next() {
                switch event {
                case .head(let head): path = head.path
                case .body: break
                case .end: respond(context)
                }
            }
        } catch {
            context.close(promise: nil)
        }
    }

    private func respond(_ context: ChannelHandlerContext) {
        let request = received
        received.removeAll()
        report(.request(path: path))
        let misbehavior = Misbehavior(rawValue: String(path.dropFirst())) ?? .none
        guard let (bytes, closes) = misbehavior.response(to: request) else { return }
        context.write(wrapOutboundOut(ByteBuffer(bytes: bytes)), promise: nil)
        context.flush()
        if closes { context.close(promise: nil) }
    }

    func channelInactive(context: ChannelHandlerContext) {
        if !received.isEmpty { report(.brokenOff(path: path, received: received)) }
        report(.closed(path: path))
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
