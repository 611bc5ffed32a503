import Foundation
import NIOCore
import NIOHPACK
import NIOSSL

/// A server on a free loopback port that speaks HTTP/2 over TLS, and sends the frames that a function writes.
public final class HTTP2Server: Sendable {
    private let server: RawServer

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - host: The loopback address: that of IPv4 by default, or `::1`.
    ///   - tls: The TLS configuration.
    ///   - settings: The settings in the first frame.
    ///   - receiveBuffer: The size of the sockets' receive buffers.
    ///   - http1: Called once for each connection on which the client speaks HTTP/1.1; `nil` if only HTTP/2 is negotiated.
    ///   - handle: Called once for each connection, after the client's preface has been read and the settings have been
    ///     sent. When it returns, the connection is kept until the client closes it; when it throws, it is closed
    ///     immediately.
    /// - Throws: The error of the server's socket.
    public init(
        host: String = "127.0.0.1",
        tls: TLSConfiguration,
        settings: [(identifier: UInt16, value: UInt32)]? = [],
        receiveBuffer: Int = 65_536,
        http1: (@Sendable (RawConnection) async throws -> Void)? = nil,
        _ handle: @escaping @Sendable (HTTP2Peer) async throws -> Void
    ) async throws {
        var tls = tls
        tls.applicationProtocols = http1 == nil ? ["h2"] : ["h2", "http/1.1"]
        let settings = settings
        server = try await RawServer(host: host, tls: tls, receiveBuffer: receiveBuffer) { connection in
            if let http1 {
                guard let first = try await connection.peek() else { return }
                if !first.readableBytesView.starts(with: "PRI".utf8) { return try await http1(connection) }
            }
            let peer = HTTP2Peer(connection)
            if let settings { try await peer.send(settings: settings) }
            try await peer.readPreface()
            try await handle(peer)
            while try await peer.frame() != nil {}
        }
    }

    /// The server's port.
    public var port: Int { server.port }

    /// A URL of the server.
    public func url(_ path: String = "/") -> URL {
        URL(string: "https://localhost:\(server.port)\(path)") ?? URL(fileURLWithPath: "/")
    }

    /// Stops listening and closes all connections.
    public func shutDown() async { await server.shutDown() }
}

/// A frame on the wire.
public struct RawFrame: Equatable, Sendable {
    /// The types of frames (RFC 9113, section 6).
    public enum Kind {
        /// DATA.
        public static let data: UInt8 = 0
        /// HEADERS.
        public static let headers: UInt8 = 1
        /// PRIORITY.
        public static let priority: UInt8 = 2
        /// RST_STREAM.
        public static let reset: UInt8 = 3
        /// SETTINGS.
        public static let settings: UInt8 = 4
        /// PUSH_PROMISE.
        public static let pushPromise: UInt8 = 5
        /// PING.
        public static let ping: UInt8 = 6
        /// GOAWAY.
        public static let goAway: UInt8 = 7
        /// WINDOW_UPDATE.
        public static let windowUpdate: UInt8 = 8
        /// CONTINUATION.
        public static let continuation: UInt8 = 9
    }

    /// END_STREAM of DATA and HEADERS; ACK of SETTINGS and PING.
    public static let end: UInt8 = 0x1
    /// END_HEADERS.
    public static let endHeaders: UInt8 = 0x4

    /// The type.
    public let type: UInt8
    /// The flags.
    public let flags: UInt8
    /// The stream; 0 for the connection.
    public let stream: UInt32
    /// The payload.
    public let payload: [UInt8]

    /// Creates a frame.
    public init(_ type: UInt8, _ flags: UInt8 = 0, _ stream: UInt32 = 0, _ payload: [UInt8] = []) {
        self.type = type
        self.flags = flags
        self.stream = stream
        self.payload = payload
    }

    /// The first four bytes of the payload, the value of RST_STREAM and WINDOW_UPDATE.
    public var number: UInt32 { payload.prefix(4).reduce(0) { $0 << 8 | UInt32($1) } }
}

/// A request that was received on a stream.
public struct HTTP2Request: Sendable {
    /// The stream.
    public let stream: UInt32
    /// The header section with pseudo-header fields first.
    public let fields: [(name: String, value: String)]
    /// Whether the request ends with its header section.
    public let isComplete: Bool

    /// The value of a field.
    public subscript(_ name: String) -> String? { fields.first { $0.name == name }?.value }

    /// The path.
    public var path: String { self[":path"] ?? "" }
}

/// The server's end of an HTTP/2 connection, which must be used by one task.
public final class HTTP2Peer {
    private let connection: RawConnection
    private var buffer = ByteBuffer()
    private var decoder = HPACKDecoder(
        allocator: ByteBufferAllocator(),
        maxDynamicTableSize: HPACKDecoder.maxDynamicTableSize,
        maxHeaderListSize: 1 << 24
    )

    init(_ connection: RawConnection) { self.connection = connection }

    /// Writes bytes below HTTP/2.
    public var writer: RawWriter { connection.writer }

    // MARK: Reading

    private func fill(_ count: Int) async throws -> Bool {
        while buffer.readableBytes < count {
            guard var more = try await connection.read() else { return false }
            buffer.discardReadBytes()
            buffer.writeBuffer(&more)
        }
        return true
    }

    func readPreface() async throws {
        guard try await fill(24) else { throw RawConnection.BrokenOff() }
        buffer.moveReaderIndex(forwardBy: 24)
    }

    /// Returns the next frame of the client, and responds to PINGs; `nil` if the client closes the connection.
    public func frame() async throws -> RawFrame? {
        while true {
            guard try await fill(9), let head = buffer.readBytes(length: 9) else { return nil }
            let length = Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2])
            guard try await fill(length), let payload = buffer.readBytes(length: length) else { return nil }
            let stream = head[5...8].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7fff_ffff
            let frame = RawFrame(head[3], head[4], stream, payload)
            if frame.type == RawFrame.Kind.ping, frame.flags & RawFrame.end == 0, respondsToPings {
                try await send(RawFrame(RawFrame.Kind.ping, RawFrame.end, 0, payload))
                continue
            }
            return frame
        }
    }

    /// Whether the server responds to PINGs instead of returning them as frames.
    public var respondsToPings = true

    /// Skips frames up to the next frame of a type, and returns that frame.
    public func frame(_ type: UInt8, on stream: UInt32? = nil) async throws -> RawFrame {
        while let frame = try await frame() {
            if frame.type == type, stream == nil || stream == frame.stream { return frame }
        }
        throw RawConnection.BrokenOff()
    }

    /// Skips frames up to the next request, and returns its header section; `nil` if the client closes the connection.
    public func request() async throws -> HTTP2Request? {
        while let frame = try await frame() {
            guard frame.type == RawFrame.Kind.headers else { continue }
            return HTTP2Request(
                stream: frame.stream,
                fields: try await fields(of: frame),
                isComplete: frame.flags & RawFrame.end != 0
            )
        }
        return nil
    }

    /// Returns the header section that begins with a HEADERS frame, after reading its CONTINUATION frames.
    public func fields(of frame: RawFrame) async throws -> [(name: String, value: String)] {
        var block = ByteBuffer(bytes: frame.payload)
        var isEnd = frame.flags & RawFrame.endHeaders != 0
        while !isEnd {
            let more = try await self.frame(RawFrame.Kind.continuation)
            block.writeBytes(more.payload)
            isEnd = more.flags & RawFrame.endHeaders != 0
        }
        return try decoder.decodeHeaders(from: &block).map { ($0.name, $0.value) }
    }

    // MARK: Writing

    /// Writes frames.
    public func send(_ frames: RawFrame...) async throws { try await send(frames) }

    /// Writes frames in one write.
    public func send(_ frames: [RawFrame]) async throws {
        var bytes = ByteBuffer()
        for frame in frames {
            bytes.writeInteger(UInt32(frame.payload.count) << 8 | UInt32(frame.type))
            bytes.writeInteger(frame.flags)
            bytes.writeInteger(frame.stream)
            bytes.writeBytes(frame.payload)
        }
        try await connection.writer.write(bytes)
    }

    /// Writes bytes unchanged.
    public func send(bytes: [UInt8]) async throws { try await connection.writer.write(ByteBuffer(bytes: bytes)) }

    /// Writes SETTINGS.
    public func send(settings: [(identifier: UInt16, value: UInt32)]) async throws {
        var payload: [UInt8] = []
        for setting in settings { payload += Self.bytes(setting.identifier) + Self.bytes(setting.value) }
        try await send(RawFrame(RawFrame.Kind.settings, 0, 0, payload))
    }

    /// Writes HEADERS.
    public func send(
        headers fields: [(String, String)],
        on stream: UInt32,
        isEnd: Bool = false
    ) async throws {
        try await send(
            RawFrame(
                RawFrame.Kind.headers,
                RawFrame.endHeaders | (isEnd ? RawFrame.end : 0),
                stream,
                Self.block(fields)
            )
        )
    }

    /// Writes DATA.
    public func send(data: String, on stream: UInt32, isEnd: Bool = false) async throws {
        try await send(RawFrame(RawFrame.Kind.data, isEnd ? RawFrame.end : 0, stream, Array(data.utf8)))
    }

    /// Writes a complete response.
    public func respond(_ status: String = "200", body: String = "ok", on stream: UInt32) async throws {
        try await send(headers: [(":status", status)], on: stream)
        try await send(data: body, on: stream, isEnd: true)
    }

    /// Writes RST_STREAM.
    public func reset(_ stream: UInt32, _ code: UInt32) async throws {
        try await send(RawFrame(RawFrame.Kind.reset, 0, stream, Self.bytes(code)))
    }

    /// Writes GOAWAY.
    public func goAway(last: UInt32, _ code: UInt32 = 0, debugData: String = "") async throws {
        let payload = Self.bytes(last) + Self.bytes(code) + Array(debugData.utf8)
        try await send(RawFrame(RawFrame.Kind.goAway, 0, 0, payload))
    }

    /// Closes the connection immediately.
    public func close() async throws { try await connection.writer.close() }

    /// Returns a header block of literals without indexing (RFC 7541, section 6.2.2), which can have any content.
    public static func block(_ fields: [(String, String)]) -> [UInt8] {
        var block: [UInt8] = []
        for (name, value) in fields {
            block.append(0)
            block += string(name) + string(value)
        }
        return block
    }

    private static func string(_ text: String) -> [UInt8] {
        let bytes = Array(text.utf8)
        guard bytes.count >= 127 else { return [UInt8(bytes.count)] + bytes }
        // The length is an integer with a prefix of seven bits (RFC 7541, section 5.1).
        var length: [UInt8] = [127]
        var rest = bytes.count - 127
        while rest >= 128 {
            length.append(UInt8(rest % 128 + 128))
            rest /= 128
        }
        return length + [UInt8(rest)] + bytes
    }

    /// Returns a number in network byte order.
    public static func bytes<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }
}
