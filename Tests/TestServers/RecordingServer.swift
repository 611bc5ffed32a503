import Foundation

/// A server that stores all requests, and responds to each with 200 and `ok`; for small bodies.
public final class RecordingServer: Sendable {
    /// One request.
    public struct Recorded: Equatable, Sendable {
        /// Its head.
        public let head: RequestHead
        /// Its body, without its framing.
        public let body: Data
        /// How many requests came before it on its connection.
        public let place: Int
    }

    private let record: Record
    private let server: RawServer

    /// Starts a server.
    ///
    /// - Parameter isStale: Whether a connection is closed without a response at its second request, as if it had
    ///   been closed while it was idle.
    /// - Throws: The error of the server's socket.
    public init(isStale: Bool = false) async throws {
        let record = Record()
        server = try await RawServer { connection in
            var place = 0
            while let head = try await connection.head() {
                let body: Data
                do {
                    body = try await connection.body()
                } catch {
                    await record.breakOff()
                    throw error
                }
                await record.add(Recorded(head: head, body: body, place: place))
                if isStale, place > 0 { return }
                place += 1
                try await connection.writer.write(
                    "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n\(head.method == "HEAD" ? "" : "ok")"
                )
            }
        }
        self.record = record
    }

    /// A URL of the server.
    public func url(_ path: String = "/") -> URL { server.url(path) }

    /// All whole requests.
    public var requests: [Recorded] { get async { await record.requests } }

    /// How many requests were broken off.
    public var brokenOff: Int { get async { await record.brokenOff } }

    /// Stops listening, and closes all connections.
    public func shutDown() async { await server.shutDown() }

    private actor Record {
        private(set) var requests: [Recorded] = []
        private(set) var brokenOff = 0

        func add(_ request: Recorded) { requests.append(request) }

        func breakOff() { brokenOff += 1 }
    }
}
