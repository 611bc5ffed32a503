import Foundation
import NIOCore

/// An exchange as a server sees it, which must be used by one task.
public final class ServedExchange {
    /// The error of a stream that the client has reset.
    public struct StreamReset: Error {
        /// The error code of RST_STREAM.
        public let code: UInt32

        /// Creates the error of a reset with this code.
        public init(code: UInt32) { self.code = code }
    }

    private enum Wire {
        case http1(RawConnection)
        case http2(HTTP2Requests, stream: UInt32)
    }

    /// The request's method.
    public let method: String
    /// The request's path and query.
    public let target: String
    /// The request's fields, without those of HTTP/2 that begin with a colon.
    public let fields: [RequestHead.Field]
    /// The request's trailers, once its body has been read.
    public private(set) var trailers: [RequestHead.Field] = []

    private let wire: Wire
    private var isRequestComplete: Bool
    /// Whether no other exchange follows on the connection.
    private(set) var isConnectionOver = false

    init(_ head: RequestHead, _ connection: RawConnection) {
        (method, target, fields) = (head.method, head.target, head.fields)
        (wire, isRequestComplete) = (.http1(connection), false)
    }

    init(_ request: HTTP2Request, _ requests: HTTP2Requests) {
        (method, target) = (request[":method"] ?? "", request.path)
        fields = Self.fields(request.fields)
        (wire, isRequestComplete) = (.http2(requests, stream: request.stream), request.isComplete)
    }

    private static func fields(_ pairs: [(name: String, value: String)]) -> [RequestHead.Field] {
        pairs.filter { !$0.name.hasPrefix(":") }.map { RequestHead.Field(name: $0.name, value: $0.value) }
    }

    /// The target without its query.
    public var path: String { String(target.prefix { $0 != "?" }) }

    /// Returns the values of a field, in order.
    public func values(_ name: String) -> [String] { fields.filter { $0.name == name.lowercased() }.map(\.value) }

    // MARK: Request

    /// Returns the next piece of the body, which is not empty; `nil` at its end.
    ///
    /// - Throws: ``StreamReset``, or ``RawConnection/BrokenOff`` if the client closes the connection.
    public func bodyPiece() async throws -> Data? {
        guard !isRequestComplete else { return nil }
        switch wire {
        case .http1(let connection):
            if let piece = try await connection.bodyPiece() { return Data(piece.readableBytesView) }
            (isRequestComplete, trailers) = (true, connection.trailers)
            return nil
        case .http2(let requests, let stream):
            return try await framePiece(requests, stream)
        }
    }

    private func framePiece(_ requests: HTTP2Requests, _ stream: UInt32) async throws -> Data? {
        while let frame = try await requests.peer.frame() {
            let isEnd = frame.flags & RawFrame.end != 0
            switch (frame.type, frame.stream) {
            case (RawFrame.Kind.data, stream):
                isRequestComplete = isEnd
                guard !frame.payload.isEmpty else {
                    if isEnd { return nil }
                    continue
                }
                try await enlargeWindows(by: frame.payload.count, requests.peer, stream)
                return Data(frame.payload)
            case (RawFrame.Kind.headers, stream):
                (isRequestComplete, trailers) = (true, Self.fields(try await requests.peer.fields(of: frame)))
                return nil
            case (RawFrame.Kind.headers, _): try await requests.keep(frame)
            case (RawFrame.Kind.reset, stream): throw StreamReset(code: frame.number)
            default: continue
            }
        }
        throw RawConnection.BrokenOff()
    }

    private func enlargeWindows(by count: Int, _ peer: HTTP2Peer, _ stream: UInt32) async throws {
        let increment = HTTP2Peer.bytes(UInt32(count))
        try await peer.send(
            RawFrame(RawFrame.Kind.windowUpdate, 0, 0, increment),
            RawFrame(RawFrame.Kind.windowUpdate, 0, stream, increment)
        )
    }

    /// Returns the rest of the body.
    public func body() async throws -> Data {
        var body = Data()
        while let piece = try await bodyPiece() { body.append(piece) }
        return body
    }

    /// Reads the rest of the request, which precedes the next one.
    func dropRequest() async throws { while try await bodyPiece() != nil {} }

    /// Waits until the client cancels the exchange, whose request is complete.
    public func waitUntilCancelled() async throws {
        switch wire {
        case .http1(let connection):
            await connection.waitUntilClosed()
            isConnectionOver = true
        case .http2(let requests, let stream):
            _ = try await requests.peer.frame(RawFrame.Kind.reset, on: stream)
        }
    }

    // MARK: Response

    /// Writes a complete response, whose length is declared unless the status allows no content.
    public func respond(
        _ status: Int = 200,
        headers: [(String, String)] = [],
        body: Data = Data()
    ) async throws {
        var headers = headers
        if status != 204, status != 304 { headers.append(("Content-Length", String(body.count))) }
        let content = method == "HEAD" ? Data() : body
        try await writeHead(status, headers, isEnd: content.isEmpty)
        guard !content.isEmpty else { return }
        try await write(content, isEnd: true, isChunk: false)
    }

    /// Writes a complete response with a text.
    public func respond(_ status: Int = 200, headers: [(String, String)] = [], text: String) async throws {
        try await respond(status, headers: headers, body: Data(text.utf8))
    }

    /// Writes the head of a response whose length is not declared.
    public func begin(_ status: Int = 200, headers: [(String, String)] = []) async throws {
        var headers = headers
        if case .http1 = wire { headers.append(("Transfer-Encoding", "chunked")) }
        try await writeHead(status, headers, isEnd: false)
    }

    /// Writes a piece of a response that ``begin(_:headers:)`` has begun.
    public func write(_ piece: Data) async throws {
        // An empty chunk would be the last one.
        if !piece.isEmpty { try await write(piece, isEnd: false, isChunk: true) }
    }

    /// Ends a response that ``begin(_:headers:)`` has begun.
    public func end(trailers: [(String, String)] = []) async throws {
        switch wire {
        case .http1(let connection):
            let lines = ["0"] + trailers.map { "\($0.0): \($0.1)" } + ["", ""]
            try await connection.writer.write(lines.joined(separator: "\r\n"))
        case .http2(let requests, let stream):
            if trailers.isEmpty {
                try await requests.peer.send(data: "", on: stream, isEnd: true)
            } else {
                let fields = trailers.map { ($0.0.lowercased(), $0.1) }
                try await requests.peer.send(headers: fields, on: stream, isEnd: true)
            }
        }
    }

    /// Writes bytes unchanged, and then closes the connection, which must be one of HTTP/1.1.
    public func close(after text: String) async throws {
        guard case .http1(let connection) = wire else { throw RawConnection.BrokenOff() }
        try await connection.writer.write(text)
        try await connection.writer.close()
        isConnectionOver = true
    }

    /// Resets the stream, which requires HTTP/2.
    public func reset(_ code: UInt32) async throws {
        guard case .http2(let requests, let stream) = wire else { throw RawConnection.BrokenOff() }
        try await requests.peer.reset(stream, code)
    }

    private func writeHead(_ status: Int, _ headers: [(String, String)], isEnd: Bool) async throws {
        switch wire {
        case .http1(let connection):
            let lines = ["HTTP/1.1 \(status) -"] + headers.map { "\($0.0): \($0.1)" } + ["", ""]
            try await connection.writer.write(lines.joined(separator: "\r\n"))
        case .http2(let requests, let stream):
            let fields = [(":status", String(status))] + headers.map { ($0.0.lowercased(), $0.1) }
            try await requests.peer.send(headers: fields, on: stream, isEnd: isEnd)
        }
    }

    private func write(_ piece: Data, isEnd: Bool, isChunk: Bool) async throws {
        switch wire {
        case .http1(let connection):
            if isChunk {
                try await connection.writer.writeChunk(piece)
            } else {
                try await connection.writer.write(piece)
            }
        case .http2(let requests, let stream):
            // The length of a frame is limited (RFC 9113, section 4.2).
            let bytes = Array(piece)
            let frames = stride(from: 0, to: bytes.count, by: 16_384).map { start in
                let end = min(start + 16_384, bytes.count)
                let flags = isEnd && end == bytes.count ? RawFrame.end : 0
                return RawFrame(RawFrame.Kind.data, flags, stream, Array(bytes[start..<end]))
            }
            try await requests.peer.send(frames)
        }
    }
}
