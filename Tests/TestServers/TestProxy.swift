import Foundation
import NIOCore
import NIOPosix

/// A proxy on a free loopback port that connects to `127.0.0.1` for every requested host.
public final class TestProxy: Sendable {
    /// The protocol of the proxy.
    public enum Kind: Sendable {
        /// HTTP with `CONNECT` and requests in absolute form; if a value is given, `Proxy-Authorization` must equal it.
        case http(authorization: String?)
        /// HTTP; the function gets the request line and `Proxy-Authorization`, and returns a refusal, or `nil` to accept the request.
        case asking(@Sendable (_ line: String, _ authorization: String?) -> Refusal?)
        /// SOCKS 5 without credentials.
        case socks
        /// SOCKS 5 with this user name and password (RFC 1929).
        case socksWithLogin(user: String, password: String)
    }

    /// A response that refuses a request.
    public struct Refusal: Sendable {
        let response: String
        let closes: Bool

        /// Creates a response after which the connection is closed or kept.
        public init(_ response: String, closes: Bool) {
            (self.response, self.closes) = (response, closes)
        }
    }

    /// An event of the proxy.
    public enum Event: Equatable, Sendable {
        /// A tunnel to this host and port.
        case tunnel(String, authorization: String?)
        /// A request in absolute form: method and URL.
        case forwarded(String, authorization: String?)
        /// A refused tunnel or request in absolute form.
        case refused(String, authorization: String?)
        /// Bytes of another protocol; the value is their first line.
        case other(String)
    }

    /// The delays of a proxy for HTTP.
    public struct Delays: Sendable {
        /// The delay of the response to CONNECT.
        public var tunnel = Duration.zero
        /// The delay of the server's first bytes.
        public var firstBytes = Duration.zero

        /// Creates delays of zero.
        public init() {}
    }

    /// The proxy's port.
    public let port: Int
    /// The events of the proxy, for one reader.
    public let events: AsyncStream<Event>

    private let channel: any Channel
    private let eventsEnd: AsyncStream<Event>.Continuation

    /// Starts a proxy.
    ///
    /// - Parameters:
    ///   - kind: The protocol.
    ///   - delays: The delays of a tunnel.
    ///   - marks: Gets the times of the first tunnel: `connect received`, `tunnel opened`, `first bytes received`, `first bytes sent`.
    /// - Throws: The error of the proxy's socket.
    public init(_ kind: Kind, delays: Delays = Delays(), marks: Marks = Marks()) async throws {
        let (events, eventsEnd) = AsyncStream<Event>.makeStream()
        channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let connection = ProxyConnection(kind, delays, marks) { eventsEnd.yield($0) }
                    try channel.pipeline.syncOperations.addHandler(connection)
                }
            }
            .bind(host: "127.0.0.1", port: 0)
            .get()
        port = channel.localAddress?.port ?? 0
        (self.events, self.eventsEnd) = (events, eventsEnd)
    }

    /// Stops the proxy, and returns all events.
    public func shutDown() async throws -> [Event] {
        try await channel.close()
        eventsEnd.finish()
        var all: [Event] = []
        for await event in events { all.append(event) }
        return all
    }
}

private final class ProxyConnection: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let kind: TestProxy.Kind
    private let delays: TestProxy.Delays
    private let marks: Marks
    private let report: @Sendable (TestProxy.Event) -> Void
    private var received: [UInt8] = []
    private var hasGreeted = false
    private var isLoggedIn = false
    private var isConnecting = false
    private var target: (any Channel)?

    init(
        _ kind: TestProxy.Kind,
        _ delays: TestProxy.Delays,
        _ marks: Marks,
        _ report: @escaping @Sendable (TestProxy.Event) -> Void
    ) {
        (self.kind, self.delays, self.marks) = (kind, delays, marks)
        self.report = report
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data)
        if let target {
            marks.mark("first bytes received")
            target.writeAndFlush(bytes, promise: nil)
            return
        }
        received += bytes.readableBytesView
        guard !isConnecting else { return }
        switch kind {
        case .http(let wanted):
            readHTTP(context) { _, given in
                guard wanted != nil, wanted != given else { return nil }
                return TestProxy.Refusal(
                    "HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm=\"p\"\r\n"
                        + "Content-Length: 0\r\n\r\n",
                    closes: false
                )
            }
        case .asking(let ask): readHTTP(context, ask)
        case .socks: readSOCKS(context, login: nil)
        case .socksWithLogin(let user, let password):
            let login = [1, UInt8(user.utf8.count)] + user.utf8 + [UInt8(password.utf8.count)] + password.utf8
            readSOCKS(context, login: login)
        }
    }

    private func readHTTP(_ context: ChannelHandlerContext, _ ask: (String, String?) -> TestProxy.Refusal?) {
        let text = String(decoding: received, as: UTF8.self)
        guard let end = text.range(of: "\r\n\r\n") else { return }
        var lines = text[..<end.lowerBound].components(separatedBy: "\r\n")
        let words = lines[0].split(separator: " ").map(String.init)
        let url = words.count == 3 ? URL(string: words[1]) : nil
        let isConnect = words.first == "CONNECT"
        guard words.count == 3, isConnect || url?.scheme == "http" else {
            report(.other(lines[0]))
            context.close(promise: nil)
            return
        }
        let name = "proxy-authorization: "
        let given = lines.first { $0.lowercased().hasPrefix(name) }.map { String($0.dropFirst(name.count)) }
        received.removeFirst(text[..<end.upperBound].utf8.count)
        let asked = isConnect ? words[1] : "\(words[0]) \(words[1])"
        if let refusal = ask("\(words[0]) \(words[1])", given) {
            report(.refused(asked, authorization: given))
            send(refusal.response, context)
            if refusal.closes { context.close(promise: nil) }
            return
        }
        guard let url, !isConnect else {
            marks.mark("connect received")
            report(.tunnel(asked, authorization: given))
            let port = Int(words[1].split(separator: ":").last ?? "") ?? 0
            connect(port: port, context, response: Array("HTTP/1.1 200 OK\r\n\r\n".utf8))
            return
        }
        report(.forwarded(asked, authorization: given))
        lines[0] = "\(words[0]) \(url.path.isEmpty ? "/" : url.path)\(url.query.map { "?\($0)" } ?? "") HTTP/1.1"
        lines.removeAll { $0.lowercased().hasPrefix(name) }
        // The server must close the connection, because the proxy changes only the first request of a connection.
        lines.append("Connection: close")
        received = Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + received
        connect(port: url.port ?? 80, context, response: [])
    }

    /// Reads a SOCKS request (RFC 1928, sections 3 to 6).
    private func readSOCKS(_ context: ChannelHandlerContext, login: [UInt8]?) {
        if !hasGreeted {
            guard received.count >= 2, received.count >= 2 + Int(received[1]) else { return }
            received.removeFirst(2 + Int(received[1]))
            hasGreeted = true
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: [5, login == nil ? 0 : 2])), promise: nil)
        }
        if let login, !isLoggedIn {
            guard received.count >= 2, received.count >= 3 + Int(received[1]),
                received.count >= 3 + Int(received[1]) + Int(received[2 + Int(received[1])])
            else { return }
            isLoggedIn = received == login
            received = []
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: [1, isLoggedIn ? 0 : 1])), promise: nil)
        }
        guard received.count >= 5 else { return }
        let (host, length): (String, Int)
        switch received[3] {
        case 1:
            guard received.count >= 10 else { return }
            (host, length) = (received[4..<8].map { "\($0)" }.joined(separator: "."), 8)
        case 3:
            length = 5 + Int(received[4])
            guard received.count >= length + 2 else { return }
            host = String(decoding: received[5..<length], as: UTF8.self)
        default:
            report(.other("address type \(received[3])"))
            context.close(promise: nil)
            return
        }
        let port = Int(received[length]) << 8 | Int(received[length + 1])
        received.removeFirst(length + 2)
        report(.tunnel("\(host):\(port)", authorization: nil))
        connect(port: port, context, response: [5, 0, 0, 1, 0, 0, 0, 0, 0, 0])
    }

    private func connect(port: Int, _ context: ChannelHandlerContext, response: [UInt8]) {
        isConnecting = true
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        let (client, marks, delays) = (context.channel, marks, delays)
        ClientBootstrap(group: context.eventLoop)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let relay = ProxyRelay(client, delays.firstBytes, marks)
                    try channel.pipeline.syncOperations.addHandler(relay)
                }
            }
            .connect(host: "127.0.0.1", port: port)
            .whenComplete { result in
                switch result {
                case .success(let channel):
                    client.eventLoop.run(after: delays.tunnel) { bound.value.0.open(channel, bound.value.1, response) }
                case .failure:
                    client.close(promise: nil)
                }
            }
    }

    private func open(_ channel: any Channel, _ context: ChannelHandlerContext, _ response: [UInt8]) {
        target = channel
        marks.mark("tunnel opened")
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: response)), promise: nil)
        channel.writeAndFlush(ByteBuffer(bytes: received), promise: nil)
        received = []
    }

    private func send(_ text: String, _ context: ChannelHandlerContext) {
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text)), promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) { target?.close(promise: nil) }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}

/// Forwards the server's bytes to the client.
private final class ProxyRelay: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let client: any Channel
    private let delay: Duration
    private let marks: Marks
    /// The bytes that wait for the end of the delay; `nil` after it.
    private var held: ByteBuffer?
    private var isDelayOver = false

    init(_ client: any Channel, _ delay: Duration, _ marks: Marks) {
        (self.client, self.delay, self.marks) = (client, delay, marks)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data)
        guard !isDelayOver else { return client.writeAndFlush(bytes, promise: nil) }
        if held != nil {
            held?.writeImmutableBuffer(bytes)
            return
        }
        held = bytes
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        context.eventLoop.run(after: delay) { bound.value.endDelay() }
    }

    private func endDelay() {
        isDelayOver = true
        marks.mark("first bytes sent")
        if let held = held.take() { client.writeAndFlush(held, promise: nil) }
    }

    func channelInactive(context: ChannelHandlerContext) { client.close(promise: nil) }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}

extension EventLoop {
    /// Runs a function after a time: immediately if that is zero.
    fileprivate func run(after time: Duration, _ body: @escaping @Sendable () -> Void) {
        guard time > .zero else { return body() }
        scheduleTask(in: .nanoseconds(Int64(time / .nanoseconds(1))), body)
    }
}
