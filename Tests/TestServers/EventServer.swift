import Foundation

/// A server of event streams, whose parts a test sends.
///
/// The server responds to each request immediately with the head of a stream. The methods send to the connection of the last request.
public final class EventServer: Sendable {
    /// An event of the server.
    public enum Event: Equatable, Sendable {
        /// A request's head; the head of the response was sent.
        case request(RequestHead)
        /// A connection with a stream was closed by the client or the server.
        case closed
    }

    /// The events of the server, for one reader.
    public let events: AsyncStream<Event>

    private let eventsEnd: AsyncStream<Event>.Continuation
    private let current: Current
    private let server: RawServer

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - contentType: The content type of responses.
    ///   - headers: Additional header lines of responses.
    /// - Throws: The error of the server's socket.
    public init(contentType: String = "text/event-stream", headers: [String] = []) async throws {
        let (events, eventsEnd) = AsyncStream<Event>.makeStream()
        let current = Current()
        server = try await RawServer { connection in
            if let head = try await connection.head() {
                _ = try await connection.body()
                let lines = [
                    "HTTP/1.1 200 OK", "Content-Type: \(contentType)", "Transfer-Encoding: chunked",
                    "Connection: close",
                ]
                // The commands exist before the head is sent, because a test that has read the head may send a command.
                let (commands, commandsEnd) = AsyncStream<Command>.makeStream()
                await current.set(commandsEnd)
                try await connection.writer.write((lines + headers + ["", ""]).joined(separator: "\r\n"))
                eventsEnd.yield(.request(head))
                defer { eventsEnd.yield(.closed) }
                let writing = Task { [writer = connection.writer] in
                    for await command in commands {
                        switch command {
                        case .send(let data): try await writer.writeChunk(data)
                        case .end:
                            try await writer.write("0\r\n\r\n")
                            writer.finish()
                        case .breakOff: try await writer.close()
                        }
                    }
                }
                defer { writing.cancel() }
                await connection.waitUntilClosed()
            }
        }
        (self.events, self.eventsEnd, self.current) = (events, eventsEnd, current)
    }

    /// A URL of the server.
    public func url(_ path: String = "/events") -> URL { server.url(path) }

    /// Sends a part of the stream of the last request, unchanged.
    public func send(_ text: String) async { await current.send(.send(Data(text.utf8))) }

    /// Ends the stream of the last request regularly.
    public func end() async { await current.send(.end) }

    /// Closes the last request's connection in the middle of its stream.
    public func breakOff() async { await current.send(.breakOff) }

    /// Waits for the next request.
    public func request() async -> RequestHead? {
        for await event in events {
            if case .request(let head) = event { return head }
        }
        return nil
    }

    /// Waits until a connection is closed, and returns false if the server is shut down first.
    public func waitForClose() async -> Bool {
        for await event in events where event == .closed { return true }
        return false
    }

    /// Stops listening and closes all connections.
    public func shutDown() async {
        await server.shutDown()
        eventsEnd.finish()
    }

    private enum Command: Sendable { case send(Data), end, breakOff }

    /// The connection of the last request, which receives commands.
    private actor Current {
        private var commands: AsyncStream<Command>.Continuation?

        func set(_ commands: AsyncStream<Command>.Continuation) { self.commands = commands }

        func send(_ command: Command) { commands?.yield(command) }
    }
}
