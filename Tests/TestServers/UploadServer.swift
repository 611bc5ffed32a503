import Foundation
import NIOCore

/// A server that reads uploads of any length without storing them.
///
/// The path of a request determines the behavior:
///
/// - `/sink`: reads the request, then responds with 200 and the body's length as text.
/// - `/held`: reads the body only after ``resume()``, then responds like `/sink`.
/// - `/early`: responds with 413 after the head, and continues to read.
/// - `/earlyUnread`: responds with 413 after the head, and stops reading.
/// - `/earlyCloses`: responds with 413 and `Connection: close` after the head, stops writing, and continues to read.
/// - `/earlyResets`: like `/earlyCloses`, but closes the connection immediately, so the client may lose the response.
public final class UploadServer: Sendable {
    /// An event of the server.
    public enum Event: Equatable, Sendable {
        /// A request's head.
        case head(path: String)
        /// A complete request, with the number of bytes in its body.
        case whole(path: String, bytes: Int)
        /// The client closed the connection before the request was complete, after this number of bytes of the body.
        case brokenOff(path: String, bytes: Int)
    }

    /// The body of the 413.
    public static let refusal = "too large"

    /// The events of the server, for one reader.
    public let events: AsyncStream<Event>

    private let eventsEnd: AsyncStream<Event>.Continuation
    private let gate: Gate
    private let record: Record
    private let server: RawServer

    /// Starts a server.
    public init() async throws {
        let gate = Gate()
        let (events, eventsEnd) = AsyncStream<Event>.makeStream()
        let record = Record()
        server = try await RawServer { connection in
            while let head = try await connection.head() {
                await record.add(head)
                eventsEnd.yield(.head(path: head.path))
                try await Self.prepare(head, on: connection, gate: gate)
                try await Self.readBody(of: head, on: connection, record: record) { eventsEnd.yield($0) }
            }
        }
        (self.gate, self.events, self.eventsEnd, self.record) = (gate, events, eventsEnd, record)
    }

    /// A URL of the server.
    public func url(_ path: String) -> URL { server.url(path) }

    /// The heads of all requests.
    public var heads: [RequestHead] { get async { await record.heads } }

    /// The number of bytes of bodies that were read.
    public var received: Int { get async { await record.received } }

    /// Lets the server read the held bodies.
    public func resume() async { await gate.open() }

    /// Waits for an event, and returns false if the server is shut down first.
    public func wait(for event: Event) async -> Bool {
        for await seen in events where seen == event { return true }
        return false
    }

    /// Waits until a request is complete or broken off, and returns the event.
    public func end() async -> Event? {
        for await event in events {
            if case .head = event { continue }
            return event
        }
        return nil
    }

    /// Stops listening and closes all connections.
    public func shutDown() async {
        await gate.open()
        await server.shutDown()
        eventsEnd.finish()
    }

    private actor Record {
        private(set) var heads: [RequestHead] = []
        private(set) var received = 0

        func add(_ head: RequestHead) { heads.append(head) }

        func add(_ count: Int) { received += count }
    }

    /// Responds or waits before the body is read, depending on the path.
    private static func prepare(_ head: RequestHead, on connection: RawConnection, gate: Gate) async throws {
        let refusal = "HTTP/1.1 413 Content Too Large\r\nContent-Length: \(refusal.utf8.count)\r\n"
        switch head.path {
        case "/held":
            await gate.wait()
        case "/early":
            try await connection.writer.write("\(refusal)\r\n\(Self.refusal)")
        case "/earlyUnread":
            try await connection.writer.write("\(refusal)\r\n\(Self.refusal)")
            await gate.wait()
        case "/earlyCloses":
            try await connection.writer.write("\(refusal)Connection: close\r\n\r\n\(Self.refusal)")
            connection.writer.finish()
        case "/earlyResets":
            try await connection.writer.write("\(refusal)Connection: close\r\n\r\n\(Self.refusal)")
            throw CancellationError()
        default:
            break
        }
    }

    private static func readBody(
        of head: RequestHead,
        on connection: RawConnection,
        record: Record,
        report: (Event) -> Void
    ) async throws {
        var count = 0
        do {
            while let piece = try await connection.bodyPiece() {
                count += piece.readableBytes
                await record.add(piece.readableBytes)
            }
        } catch {
            report(.brokenOff(path: head.path, bytes: count))
            throw error
        }
        report(.whole(path: head.path, bytes: count))
        guard !head.path.hasPrefix("/early") else { return }
        let text = String(count)
        try await connection.writer.write("HTTP/1.1 200 OK\r\nContent-Length: \(text.utf8.count)\r\n\r\n\(text)")
    }
}
