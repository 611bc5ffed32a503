import Foundation
import HTTPTypes
import NIOCore

/// A correct HTTP/1.1 server on a free loopback port, whose responses a function creates.
public final class HTTPServer: Sendable {
    private let server: RawServer

    /// Starts a server.
    ///
    /// - Parameter respond: Returns the response to a request. An error closes the connection.
    /// - Throws: The error of the server's socket.
    public init(_ respond: @escaping @Sendable (Request) async throws -> Response) async throws {
        server = try await RawServer { connection in
            while let head = try await connection.head() {
                let request = Request(head: head, connection: connection)
                let response = try await respond(request)
                try await response.write(to: connection.writer, method: head.method)
                // The rest of this request's body is read, because it precedes the next request.
                while try await request.bodyPiece() != nil {}
                if head["connection"]?.lowercased() == "close" { return }
            }
        }
    }

    /// The URL of the root, without a path.
    public var baseURL: URL { server.url("") }

    /// Stops listening and closes all connections.
    public func shutDown() async { await server.shutDown() }

    /// A request whose body is read on demand.
    public final class Request {
        /// The head.
        public let head: RequestHead

        private let connection: RawConnection
        private var isWhole = false

        fileprivate init(head: RequestHead, connection: RawConnection) {
            self.head = head
            self.connection = connection
        }

        /// The segments of the path, without percent encoding.
        public var path: [String] {
            head.path.split(separator: "/").map { $0.removingPercentEncoding ?? String($0) }
        }

        /// Returns the value of a query parameter.
        public func query(_ name: String) -> String? {
            URLComponents(string: head.target)?.queryItems?.first { $0.name == name }?.value
        }

        /// Returns the next piece of the body; `nil` at its end.
        ///
        /// - Throws: ``RawConnection/BrokenOff`` if the client closes the connection before the end.
        public func bodyPiece() async throws -> ByteBuffer? {
            guard !isWhole else { return nil }
            let piece = try await connection.bodyPiece()
            isWhole = piece == nil
            return piece
        }

        /// Returns the rest of the body, which must be small.
        public func body() async throws -> Data {
            var body = Data()
            while let piece = try await bodyPiece() { body.append(contentsOf: piece.readableBytesView) }
            return body
        }

        /// Waits until the client closes the connection, or until the server is shut down.
        public func waitUntilClosed() async {
            // An error also means that the connection is closed.
            _ = try? await body()
            await connection.waitUntilClosed()
        }
    }

    /// A response.
    public struct Response: Sendable {
        /// The content of a response.
        public enum Body: Sendable {
            /// Bytes with a declared length.
            case bytes(Data)
            /// Pieces that a function writes; chunks unless the length is declared.
            case stream(length: Int?, @Sendable (BodyWriter) async throws -> Void)
        }

        /// The status.
        public var status: HTTPResponse.Status
        /// The header fields, without `Date` and the framing of the body.
        public var headers: HTTPFields
        /// The body, which is not sent in response to HEAD.
        public var body: Body

        /// Creates a response.
        public init(_ status: HTTPResponse.Status = .ok, headers: HTTPFields = [:], body: Body = .bytes(Data())) {
            self.status = status
            self.headers = headers
            self.body = body
        }

        /// Creates a response with a text.
        public init(_ status: HTTPResponse.Status = .ok, headers: HTTPFields = [:], text: String) {
            self.init(status, headers: headers, body: .bytes(Data(text.utf8)))
        }

        fileprivate func write(to writer: RawWriter, method: String) async throws {
            var fields = headers
            fields[.date] = Self.date
            // A response without content has no length (RFC 9110, section 8.6).
            let hasContent = status.code >= 200 && status.code != 204 && status.code != 304
            if hasContent {
                switch body {
                case .bytes(let data): fields[.contentLength] = String(data.count)
                case .stream(let length?, _): fields[.contentLength] = String(length)
                case .stream(nil, _): fields[.transferEncoding] = "chunked"
                }
            }
            var head = "HTTP/1.1 \(status.code) \(status.reasonPhrase)\r\n"
            for field in fields { head += "\(field.name.rawName): \(field.value)\r\n" }
            head += "\r\n"
            guard hasContent, method != "HEAD" else { return try await writer.write(head) }
            switch body {
            case .bytes(let data):
                var buffer = ByteBuffer(string: head)
                buffer.writeBytes(data)
                try await writer.write(buffer)
            case .stream(let length, let write):
                try await writer.write(head)
                try await write(BodyWriter(writer: writer, isChunked: length == nil))
                if length == nil { try await writer.write("0\r\n\r\n") }
            }
        }

        /// The time in the form of RFC 9110, section 5.6.7.
        private static var date: String {
            var (now, parts) = (time(nil), tm())
            gmtime_r(&now, &parts)
            var text = [CChar](repeating: 0, count: 32)
            let length = strftime(&text, text.count, "%a, %d %b %Y %H:%M:%S GMT", &parts)
            return String(decoding: text[..<length].map(UInt8.init(bitPattern:)), as: UTF8.self)
        }
    }

    /// Writes the pieces of a streamed body.
    public struct BodyWriter: Sendable {
        let writer: RawWriter
        let isChunked: Bool

        /// Writes a piece, and returns when the kernel has taken it.
        public func write(_ piece: Data) async throws {
            // An empty chunk would be the last one.
            guard !piece.isEmpty else { return }
            if isChunked {
                try await writer.writeChunk(piece)
            } else {
                try await writer.write(piece)
            }
        }
    }
}
