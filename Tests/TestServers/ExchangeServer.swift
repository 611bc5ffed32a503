import Foundation
import NIOSSL

/// A correct server on a free loopback port that handles one exchange after another, over HTTP/1.1 or HTTP/2.
///
/// A function handles an exchange while its request is received, so that it can respond before the request ends. Over HTTP/2, other
/// requests that arrive meanwhile must have no body; they are handled next.
public final class ExchangeServer: Sendable {
    private let root: URL
    private let stop: @Sendable () async -> Void

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - tls: The TLS configuration; `nil` for a server without TLS.
    ///   - http2: Whether HTTP/2 is negotiated in TLS instead of HTTP/1.1.
    ///   - handle: Handles an exchange. An error closes the connection.
    /// - Throws: The error of the server's socket.
    public init(
        tls: TLSConfiguration? = nil,
        http2: Bool = false,
        _ handle: @escaping @Sendable (ServedExchange) async throws -> Void
    ) async throws {
        if let tls, http2 {
            let server = try await HTTP2Server(tls: tls) { peer in
                let requests = HTTP2Requests(peer)
                while let request = try await requests.next() {
                    let exchange = ServedExchange(request, requests)
                    do {
                        try await handle(exchange)
                        try await exchange.dropRequest()
                    } catch is ServedExchange.StreamReset {
                        // The connection continues.
                    }
                }
            }
            root = server.url("")
            stop = { await server.shutDown() }
            return
        }
        var tls = tls
        tls?.applicationProtocols = ["http/1.1"]
        let server = try await RawServer(tls: tls) { connection in
            while let head = try await connection.head() {
                let exchange = ServedExchange(head, connection)
                try await handle(exchange)
                if exchange.isConnectionOver { return }
                try await exchange.dropRequest()
            }
        }
        let scheme = tls == nil ? "http://127.0.0.1" : "https://localhost"
        root = URL(string: "\(scheme):\(server.port)") ?? URL(fileURLWithPath: "/")
        stop = { await server.shutDown() }
    }

    /// A URL of the server.
    public func url(_ path: String = "/") -> URL { URL(string: root.absoluteString + path) ?? root }

    /// Stops listening and closes all connections.
    public func shutDown() async { await stop() }
}

/// The requests of an HTTP/2 connection, of which those that arrive during an exchange are kept.
final class HTTP2Requests {
    let peer: HTTP2Peer
    private var waiting: [HTTP2Request] = []

    init(_ peer: HTTP2Peer) { self.peer = peer }

    func next() async throws -> HTTP2Request? {
        waiting.isEmpty ? try await peer.request() : waiting.removeFirst()
    }

    /// Keeps the request that begins with a HEADERS frame.
    func keep(_ frame: RawFrame) async throws {
        waiting.append(
            HTTP2Request(
                stream: frame.stream,
                fields: try await peer.fields(of: frame),
                isComplete: frame.flags & RawFrame.end != 0
            )
        )
    }
}
