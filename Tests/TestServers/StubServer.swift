import Foundation

/// A server that responds to each path with given bytes.
public final class StubServer: Sendable {
    /// A response.
    public struct Response: Sendable {
        /// The way in which a client detects the end of the body.
        public enum Framing: Equatable, Sendable {
            /// `Content-Length`.
            case length
            /// This `Content-Length`; the connection stays open after the body.
            case declared(Int)
            /// This `Content-Length`; the connection is closed after the body.
            case declaredThenClosed(Int)
            /// Chunks of up to 1,000 bytes.
            case chunks
            /// The end of the connection.
            case close
        }

        /// The status code and its text.
        public var status: String
        /// Lines of the head.
        public var headers: [String]
        /// The body, unless the method is HEAD.
        public var body: Data
        /// The way in which a client detects the end of the body.
        public var framing: Framing

        /// Creates a response.
        public init(
            status: String = "200 OK",
            headers: [String] = [],
            body: Data = Data(),
            framing: Framing = .length
        ) {
            self.status = status
            self.headers = headers
            self.body = body
            self.framing = framing
        }
    }

    /// An event of the server.
    public enum Event: Equatable, Sendable {
        /// A request's head.
        case head(RequestHead)
        /// A connection was closed, or its writer failed, after this number of bytes of a body.
        case closed(sent: Int)
        /// A body was sent completely.
        case sent
        /// There was no room for the next piece of a body for half a second.
        case stalled(sent: Int)
    }

    /// The events of the server, for one reader.
    public let events: AsyncStream<Event>

    private let eventsEnd: AsyncStream<Event>.Continuation
    private let server: RawServer

    /// Starts a server; other paths return 404.
    public init(_ responses: [String: Response]) async throws {
        let (events, eventsEnd) = AsyncStream<Event>.makeStream()
        server = try await RawServer { connection in
            while let head = try await connection.head() {
                eventsEnd.yield(.head(head))
                _ = try await connection.body()
                let response = responses[head.path] ?? Response(status: "404 Not Found")
                let writing = Writing(writer: connection.writer) { eventsEnd.yield($0) }
                try await writing.write(response, withBody: head.method != "HEAD")
                switch response.framing {
                case .close, .declaredThenClosed: return
                case .length, .chunks: break
                case .declared:
                    await connection.waitUntilClosed()
                    eventsEnd.yield(.closed(sent: response.body.count))
                    return
                }
            }
        }
        (self.events, self.eventsEnd) = (events, eventsEnd)
    }

    /// A URL of the server.
    public func url(_ path: String) -> URL { server.url(path) }

    /// Waits for the next event of a kind.
    public func first<Value>(_ pick: (Event) -> Value?) async -> Value? {
        for await event in events {
            if let value = pick(event) { return value }
        }
        return nil
    }

    /// Stops listening and closes all connections.
    public func shutDown() async {
        await server.shutDown()
        eventsEnd.finish()
    }

    private struct Writing {
        let writer: RawWriter
        let report: @Sendable (Event) -> Void

        func write(_ response: Response, withBody: Bool) async throws {
            let framing: [String] =
                switch response.framing {
                case .length: ["Content-Length: \(response.body.count)"]
                case .declared(let length), .declaredThenClosed(let length): ["Content-Length: \(length)"]
                case .chunks: ["Transfer-Encoding: chunked"]
                case .close: ["Connection: close"]
                }
            try await writer.write(
                (["HTTP/1.1 \(response.status)"] + response.headers + framing + ["", ""]).joined(separator: "\r\n")
            )
            guard withBody else { return }
            // Many chunks are written at once, because awaiting each chunk would be slow.
            let pieceLength = response.framing == .chunks ? 64_000 : 65_536
            for start in stride(from: 0, to: response.body.count, by: pieceLength) {
                // The indices of a slice do not start at 0.
                let piece = response.body.dropFirst(start).prefix(pieceLength)
                let slow = Task {
                    try await Task.sleep(for: .milliseconds(500))
                    report(.stalled(sent: start))
                }
                defer { slow.cancel() }
                do {
                    if response.framing == .chunks {
                        try await writer.writeChunks(piece, of: 1_000)
                    } else {
                        try await writer.write(piece)
                    }
                } catch {
                    report(.closed(sent: start))
                    throw error
                }
            }
            if response.framing == .chunks { try await writer.write("0\r\n\r\n") }
            report(.sent)
        }
    }
}
