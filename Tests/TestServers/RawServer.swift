import Foundation
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import NIOSSL

/// A server on a free loopback port that calls a function for each connection.
///
/// The other servers of this module use this server to transfer bytes, and create the responses. Bytes are read only when the function
/// asks for them, and a write waits for room, so a function that waits slows the client down.
public final class RawServer: Sendable {
    /// The server's port.
    public let port: Int

    private let channel: any Channel
    private let serving: Task<Void, any Error>

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - host: The loopback address: that of IPv4 by default, or `::1`.
    ///   - tls: The TLS configuration; `nil` for a server without TLS.
    ///   - receiveBuffer: The size of the sockets' receive buffers.
    ///   - allowsHalfClosure: Whether a connection stays open when the client has closed its direction.
    ///   - handle: Called once for each connection. When it returns, the connection is closed after everything has
    ///     been sent; when it throws, the connection is closed immediately.
    /// - Throws: The error of the server's socket.
    public init(
        host: String = "127.0.0.1",
        tls: TLSConfiguration? = nil,
        receiveBuffer: Int = 65_536,
        allowsHalfClosure: Bool = false,
        _ handle: @escaping @Sendable (RawConnection) async throws -> Void
    ) async throws {
        let context = try tls.map { try NIOSSLContext(configuration: $0) }
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.backlog, value: 256)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            // Connections inherit this small buffer, so that a client soon notices a server that does not read.
            .serverChannelOption(.socketOption(.so_rcvbuf), value: SocketOptionValue(receiveBuffer))
            .childChannelOption(.socketOption(.so_sndbuf), value: 65_536)
            .childChannelOption(.allowRemoteHalfClosure, value: allowsHalfClosure)
            .bind(host: host, port: 0) { channel in
                channel.eventLoop.makeCompletedFuture {
                    if let context {
                        try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
                    }
                    return Accepted(
                        try NIOAsyncChannel<ByteBuffer, ByteBuffer>(
                            wrappingChannelSynchronously: channel,
                            configuration: .init(isOutboundHalfClosureEnabled: true)
                        )
                    )
                }
            }
        channel = server.channel
        guard let port = channel.localAddress?.port else { throw ChannelError.unknownLocalAddress }
        self.port = port
        serving = Task {
            let running = RunningTasks()
            let result: Result<Void, any Error>
            do {
                try await server.executeThenClose { connections in
                    for try await accepted in connections {
                        let connection = accepted.take()
                        running.add { await Self.serve(connection, handle) }
                    }
                }
                result = .success(())
            } catch {
                result = .failure(error)
            }
            await running.cancelAndWait()
            try result.get()
        }
    }

    private static func serve(
        _ connection: NIOAsyncChannel<ByteBuffer, ByteBuffer>,
        _ handle: @Sendable (RawConnection) async throws -> Void
    ) async {
        // Errors of a connection are ignored, because clients cause them.
        try? await connection.executeThenClose { inbound, outbound in
            let writer = RawWriter(outbound: outbound, channel: connection.channel)
            let connection = RawConnection(inbound, writer)
            try await handle(connection)
            // Closing the channel immediately would lose bytes that are not written yet.
            writer.finish()
            await connection.waitUntilClosed()
        }
    }

    /// A URL of the server.
    public func url(_ path: String = "/") -> URL {
        URL(string: "http://127.0.0.1:\(port)\(path)") ?? URL(fileURLWithPath: "/")
    }

    /// Stops listening and closes all connections.
    public func shutDown() async {
        stop()
        _ = await serving.result
    }

    /// Stops listening without cancelling the handlers, so that accepted connections are served.
    private func stop() { channel.close(promise: nil) }

    deinit { stop() }
}

/// An accepted connection before it is handled.
///
/// During a shutdown, a connection may be accepted and not handled. NIO requires that such a connection is closed.
private final class Accepted: Sendable {
    private let connection: NIOAsyncChannel<ByteBuffer, ByteBuffer>
    private let isTaken = NIOLockedValueBox(false)

    init(_ connection: NIOAsyncChannel<ByteBuffer, ByteBuffer>) { self.connection = connection }

    func take() -> NIOAsyncChannel<ByteBuffer, ByteBuffer> {
        isTaken.withLockedValue { $0 = true }
        return connection
    }

    deinit {
        guard !isTaken.withLockedValue({ $0 }) else { return }
        Task { [connection] in try? await connection.executeThenClose { _, _ in } }
    }
}

/// A connection whose requests are read by one task.
public final class RawConnection {
    /// The writer of responses, which can be used by any task.
    public let writer: RawWriter

    private var bytes: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
    /// The bytes that were read ahead.
    private var ahead: ByteBuffer?
    private var parser = RequestParser()

    init(_ inbound: NIOAsyncChannelInboundStream<ByteBuffer>, _ writer: RawWriter) {
        bytes = inbound.makeAsyncIterator()
        self.writer = writer
    }

    /// The client's IP address.
    public var clientAddress: String? { writer.channel.remoteAddress?.ipAddress }

    /// Returns the next request's head; `nil` if the client closes the connection.
    public func head() async throws -> RequestHead? {
        while let event = try await event() {
            if case .head(let head) = event { return head }
        }
        return nil
    }

    /// Returns the next piece of the request's body; `nil` at its end.
    ///
    /// - Throws: ``BrokenOff`` if the client closes the connection before the end.
    public func bodyPiece() async throws -> ByteBuffer? {
        switch try await event() {
        case .body(let piece): return piece
        case .end: return nil
        case .head, nil: throw BrokenOff()
        }
    }

    /// Reads the request's body, which must be small.
    public func body() async throws -> Data {
        var body = Data()
        while let piece = try await bodyPiece() { body.append(contentsOf: piece.readableBytesView) }
        return body
    }

    /// The trailers of the request, once its body has been read.
    public var trailers: [RequestHead.Field] { parser.trailers }

    /// Reads raw bytes; `nil` if the client closes the connection.
    ///
    /// The method must not be used together with the methods that parse requests.
    public func read() async throws -> ByteBuffer? {
        if let ahead {
            self.ahead = nil
            return ahead
        }
        return try await bytes.next()
    }

    /// Returns the next bytes, which remain to be read; `nil` if the client closes the connection.
    public func peek() async throws -> ByteBuffer? {
        if ahead == nil { ahead = try await bytes.next() }
        return ahead
    }

    /// Reads and drops bytes until the client closes the connection.
    ///
    /// The method does not throw if the client resets the connection; closing a connection with unread bytes resets it.
    public func waitUntilClosed() async {
        while (try? await bytes.next()) != nil {}
    }

    /// The error of a connection that the client closed within a request.
    public struct BrokenOff: Error {}

    private func event() async throws -> RequestParser.Event? {
        while true {
            if let event = try parser.next() { return event }
            guard let more = try await read() else { return nil }
            parser.push(more)
        }
    }
}

/// A writer for a connection.
///
/// A write returns when the kernel has taken the bytes. NIO's asynchronous writer is not used, because it waits only after the event
/// loop has reported a lack of room; on a busy machine, it takes tens of megabytes before that.
public struct RawWriter: Sendable {
    let outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
    let channel: any Channel

    /// Writes text after waiting for room.
    public func write(_ text: String) async throws { try await write(ByteBuffer(string: text)) }

    /// Writes bytes after waiting for room.
    public func write(_ data: Data) async throws { try await write(ByteBuffer(bytes: data)) }

    /// Writes a chunk of a body without a declared length (RFC 9112, section 7.1).
    public func writeChunk(_ data: Data) async throws { try await writeChunks(data, of: max(1, data.count)) }

    /// Writes several chunks of at most the given number of bytes.
    public func writeChunks(_ data: Data, of length: Int) async throws {
        var buffer = ByteBuffer()
        for start in stride(from: 0, to: data.count, by: length) {
            let chunk = data.dropFirst(start).prefix(length)
            buffer.writeString("\(String(chunk.count, radix: 16))\r\n")
            buffer.writeBytes(chunk)
            buffer.writeString("\r\n")
        }
        try await write(buffer)
    }

    /// Writes text below TLS, so that the client gets bytes that are not a TLS record.
    public func writeBelowTLS(_ text: String) async throws {
        let written = channel.eventLoop.makePromise(of: Void.self)
        channel.eventLoop.execute { [channel] in
            do {
                let tls = try channel.pipeline.syncOperations.context(handlerType: NIOSSLServerHandler.self)
                tls.writeAndFlush(NIOAny(ByteBuffer(string: text)), promise: written)
            } catch {
                written.fail(error)
            }
        }
        try await written.futureResult.get()
    }

    /// Closes the direction to the client only, so that the client gets all written bytes.
    public func finish() { outbound.finish() }

    /// Closes the connection immediately.
    ///
    /// The output is closed separately, because the kernel closes a connection only with the last copy of its descriptor. A child
    /// process that another test starts has copies of all descriptors until it executes its program. The client can read the end of
    /// the output without that delay.
    public func close() async throws {
        channel.close(mode: .output, promise: nil)
        try await channel.close()
    }

    /// Writes bytes after waiting for room.
    public func write(_ buffer: ByteBuffer) async throws {
        let failure = NIOLockedValueBox<(any Error)?>(nil)
        await withTaskCancellationHandler {
            // The future's get() is not used, because the thread sanitizer does not recognize that it passes the value.
            await withCheckedContinuation { written in
                channel.writeAndFlush(buffer).whenComplete { result in
                    if case .failure(let error) = result { failure.withLockedValue { $0 = error } }
                    written.resume()
                }
            }
        } onCancel: {
            // Writes that wait for room fail.
            channel.close(promise: nil)
        }
        if let error = failure.withLockedValue({ $0 }) { throw error }
    }
}
