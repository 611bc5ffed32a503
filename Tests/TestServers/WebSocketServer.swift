import Crypto
import Foundation
import NIOCore
import NIOSSL

/// A server on a free loopback port that opens WebSockets over HTTP/1.1 or HTTP/2, and calls a function for each of them.
///
/// It writes and reads frames as they are, so that a test can violate the protocol. It shares no code with the library.
public final class WebSocketServer: Sendable {
    /// The answer to a request.
    public enum Answer: Sendable {
        /// Opens the WebSocket; the fields are added, and those with the name of a usual field replace it.
        case open([String: String] = [:])
        /// Sends an ordinary response.
        case refuse(Int, [String: String] = [:], body: String = "")
    }

    /// The server's port.
    public let port: Int
    private let stop: @Sendable () async -> Void

    /// Starts a server that speaks HTTP/1.1.
    ///
    /// - Parameters:
    ///   - host: The loopback address: that of IPv4 by default, or `::1`.
    ///   - tls: The TLS configuration; `nil` for a server without TLS.
    ///   - receiveBuffer: The size of the sockets' receive buffers.
    ///   - answer: Returns the answer to a request.
    ///   - serve: Called for each open WebSocket. When it returns, the connection is closed after everything has been sent; when it
    ///     throws, the connection is closed immediately.
    /// - Throws: The error of the server's socket.
    public init(
        host: String = "127.0.0.1",
        tls: TLSConfiguration? = nil,
        receiveBuffer: Int = 65_536,
        answer: @escaping @Sendable (RequestHead) -> Answer = { _ in .open() },
        _ serve: @escaping @Sendable (Peer) async throws -> Void
    ) async throws {
        let server = try await RawServer(host: host, tls: tls, receiveBuffer: receiveBuffer) { connection in
            while let request = try await connection.head() {
                switch answer(request) {
                case .open(let fields):
                    try await connection.writer.write(
                        Self.head(101, "Switching Protocols", Self.fields(for: request, fields))
                    )
                    return try await serve(Peer(request, over: connection, writer: connection.writer))
                case .refuse(let status, var fields, let body):
                    fields["Content-Length"] = String(body.utf8.count)
                    try await connection.writer.write(Self.head(status, "Refused", fields) + body)
                }
            }
        }
        (port, stop) = (server.port, { await server.shutDown() })
    }

    /// Starts a server that speaks HTTP/2 over TLS, and opens a WebSocket for each extended CONNECT (RFC 8441).
    ///
    /// A connection has one WebSocket, and the server sends at most 65,535 bytes, because it does not wait for the client's window.
    ///
    /// - Parameters:
    ///   - host: The loopback address: that of IPv4 by default, or `::1`.
    ///   - tls: The TLS configuration.
    ///   - serve: Called for each open WebSocket. When it returns, the stream is ended; when it throws, the connection is closed
    ///     immediately.
    /// - Throws: The error of the server's socket.
    public init(
        host: String = "127.0.0.1",
        overHTTP2 tls: TLSConfiguration,
        _ serve: @escaping @Sendable (Peer) async throws -> Void
    ) async throws {
        let server = try await HTTP2Server(host: host, tls: tls, settings: [(8, 1)]) { peer in
            guard let request = try await peer.request(), request[":protocol"] == "websocket" else { return }
            try await peer.send(headers: [(":status", "200")], on: request.stream)
            let head = RequestHead(
                method: request[":method"] ?? "",
                target: request.path,
                fields: request.fields.map { RequestHead.Field(name: $0.name, value: $0.value) }
            )
            try await serve(Peer(head, over: HTTP2Stream(peer, request.stream), writer: peer.writer))
            try await peer.send(data: "", on: request.stream, isEnd: true)
        }
        (port, stop) = (server.port, { await server.shutDown() })
    }

    /// A `ws` URL of the server.
    public func url(_ path: String = "/") -> URL {
        URL(string: "ws://127.0.0.1:\(port)\(path)") ?? URL(fileURLWithPath: "/")
    }

    /// Stops listening and closes all connections.
    public func shutDown() async { await stop() }

    private static func fields(for request: RequestHead, _ added: [String: String]) -> [String: String] {
        let key = request["Sec-WebSocket-Key"] ?? ""
        let hash = Data(Insecure.SHA1.hash(data: Data((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8)))
        let usual = [
            "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Accept": hash.base64EncodedString(),
        ]
        return usual.merging(added) { $1 }.filter { !$0.value.isEmpty }
    }

    private static func head(_ status: Int, _ reason: String, _ fields: [String: String]) -> String {
        "HTTP/1.1 \(status) \(reason)\r\n" + fields.map { "\($0): \($1)\r\n" }.joined() + "\r\n"
    }
}

extension WebSocketServer {
    /// A frame of a WebSocket.
    public struct Frame: Equatable, Sendable {
        /// The final bit, the reserved bits and the opcode.
        public var first: UInt8
        /// The payload, without its mask.
        public var payload: Data

        /// Creates a frame.
        public init(_ first: UInt8, _ payload: Data = Data()) { (self.first, self.payload) = (first, payload) }

        /// Creates a text of one frame.
        public static func text(_ text: String) -> Frame { Frame(0x81, Data(text.utf8)) }

        /// Creates a message of bytes of one frame.
        public static func binary(_ bytes: Data) -> Frame { Frame(0x82, bytes) }

        /// Creates a close frame.
        public static func close(_ code: UInt16? = nil, _ reason: String = "") -> Frame {
            Frame(0x88, code.map { Data([UInt8($0 >> 8), UInt8($0 & 0xFF)]) + Data(reason.utf8) } ?? Data())
        }

        /// The opcode.
        public var opcode: UInt8 { first & 0x0F }

        /// The code of a close frame.
        public var closeCode: Int? {
            payload.count >= 2 ? Int(payload[payload.startIndex]) << 8 | Int(payload[payload.startIndex + 1]) : nil
        }

        /// The frame as a server sends it.
        public var bytes: Data {
            let size = payload.count < 126 ? 0 : payload.count < 65_536 ? 2 : 8
            var bytes = Data([first, size == 0 ? UInt8(payload.count) : size == 2 ? 126 : 127])
            for index in (0..<size).reversed() { bytes.append(UInt8(truncatingIfNeeded: payload.count >> (8 * index))) }
            return bytes + payload
        }
    }

    /// The server's side of an open WebSocket, whose frames are read by one task.
    public final class Peer {
        /// The request that has opened the WebSocket.
        public let request: RequestHead
        /// Writes bytes below HTTP/2, or those of HTTP/1.1, from any task.
        public let writer: RawWriter
        private let connection: any WebSocketBytes
        private var buffer = ByteBuffer()

        init(_ request: RequestHead, over connection: some WebSocketBytes, writer: RawWriter) {
            (self.request, self.connection, self.writer) = (request, connection, writer)
        }

        /// Sends frames in one write.
        public func send(_ frames: Frame...) async throws {
            try await send(frames.reduce(Data()) { $0 + $1.bytes })
        }

        /// Sends bytes, which need not be frames.
        public func send(_ bytes: Data) async throws {
            try await connection.write(bytes)
        }

        /// Reads the next frame; `nil` if the client closes the connection between frames.
        ///
        /// - Throws: ``NotMasked``, or ``RawConnection/BrokenOff`` if the client closes the connection inside a frame.
        public func read() async throws -> Frame? {
            guard try await fill(2, isBeginning: true) else { return nil }
            let (first, second) = (try byte(0), try byte(1))
            guard second & 0x80 != 0 else { throw NotMasked() }
            let short = Int(second & 0x7F)
            let size = short == 127 ? 8 : short == 126 ? 2 : 0
            _ = try await fill(2 + size + 4)
            var count = short
            if size > 0 {
                count = 0
                for index in 0..<size { count = count << 8 | Int(try byte(2 + index)) }
            }
            _ = try await fill(2 + size + 4 + count)
            buffer.moveReaderIndex(forwardBy: 2 + size)
            let key = buffer.readBytes(length: 4) ?? []
            var payload = buffer.readBytes(length: count) ?? []
            for index in payload.indices { payload[index] ^= key[index & 3] }
            buffer.discardReadBytes()
            return Frame(first, Data(payload))
        }

        /// Echoes data frames and answers pings until the client sends a close frame, which is answered.
        public func echo() async throws {
            while let frame = try await read() {
                switch frame.opcode {
                case 0x8:
                    return try await send(Frame(0x88, frame.payload.prefix(2)))
                case 0x9: try await send(Frame(0x8A, frame.payload))
                case 0xA: break
                default: try await send(frame)
                }
            }
        }

        /// Reads frames until a close frame or the end, and returns the close frame.
        public func readClose() async throws -> Frame? {
            while let frame = try await read() {
                if frame.opcode == 0x8 { return frame }
            }
            return nil
        }

        /// The error of a frame without a mask.
        public struct NotMasked: Error {}

        private func byte(_ offset: Int) throws -> UInt8 {
            guard let byte = buffer.getInteger(at: buffer.readerIndex + offset, as: UInt8.self) else {
                throw RawConnection.BrokenOff()
            }
            return byte
        }

        /// Reads until the buffer has a number of bytes; returns false if the connection ends at a beginning.
        private func fill(_ count: Int, isBeginning: Bool = false) async throws -> Bool {
            while buffer.readableBytes < count {
                guard var more = try await connection.read() else {
                    if isBeginning, buffer.readableBytes == 0 { return false }
                    throw RawConnection.BrokenOff()
                }
                buffer.writeBuffer(&more)
            }
            return true
        }
    }
}

/// The bytes of a WebSocket's connection, which one task uses.
protocol WebSocketBytes: AnyObject {
    /// Returns the next bytes; `nil` at the end.
    func read() async throws -> ByteBuffer?

    /// Writes bytes.
    func write(_ bytes: Data) async throws
}

extension RawConnection: WebSocketBytes {
    func write(_ bytes: Data) async throws { try await writer.write(bytes) }
}

/// A stream of an HTTP/2 connection.
private final class HTTP2Stream: WebSocketBytes {
    private let peer: HTTP2Peer
    private let stream: UInt32
    private var hasEnded = false

    init(_ peer: HTTP2Peer, _ stream: UInt32) { (self.peer, self.stream) = (peer, stream) }

    func read() async throws -> ByteBuffer? {
        while !hasEnded, let frame = try await peer.frame() {
            guard frame.stream == stream else { continue }
            if frame.type == RawFrame.Kind.reset { throw RawConnection.BrokenOff() }
            guard frame.type == RawFrame.Kind.data else { continue }
            hasEnded = frame.flags & RawFrame.end != 0
            if !frame.payload.isEmpty { return ByteBuffer(bytes: frame.payload) }
        }
        return nil
    }

    func write(_ bytes: Data) async throws {
        // A frame has at most this size (RFC 9113, section 4.2).
        for start in stride(from: 0, to: bytes.count, by: 16_384) {
            let piece = bytes.dropFirst(start).prefix(16_384)
            try await peer.send(RawFrame(RawFrame.Kind.data, 0, stream, Array(piece)))
        }
    }
}
