import Foundation
import NIOConcurrencyHelpers

/// A server for small bodies that stores requests, and reacts to each request as a function decides.
public final class ReactingServer: Sendable {
    /// One request.
    public struct Received: Equatable, Sendable {
        /// The number of earlier requests of the server.
        public let number: Int
        /// The number of earlier requests on the same connection.
        public let place: Int
        /// The head.
        public let head: RequestHead
        /// The body without the framing.
        public let body: Data

        /// The body as text.
        public var text: String { String(decoding: body, as: UTF8.self) }
    }

    /// The reaction to a request.
    public enum Reaction: Sendable {
        /// Responds with the status, the lines of the head, and the body.
        case respond(Int, headers: [String] = [], body: Data = Data("ok".utf8))
        /// Closes the connection without a response.
        case cut
        /// Sends the head for a body of the given length and the first bytes of the body, and closes the connection.
        case part(headers: [String] = [], body: Data, of: Int)
        /// Sends nothing, and waits until the client closes the connection.
        case stall

        /// Sends ten bytes of a body of a hundred.
        public static let cutInBody = Reaction.part(body: Data("0123456789".utf8), of: 100)
    }

    private struct State {
        var count = 0
        var brokenOff = 0
        var received: [Received] = []
    }

    private let state: NIOLockedValueBox<State>
    private let server: RawServer

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - keepsRequests: Whether all requests are stored; otherwise they are only counted.
    ///   - react: Returns the reaction to a request; by default 200 with `ok`.
    /// - Throws: The error of the server's socket.
    public init(
        keepsRequests: Bool = true,
        _ react: @escaping @Sendable (Received) async -> Reaction = { _ in .respond(200) }
    ) async throws {
        let state = NIOLockedValueBox(State())
        server = try await RawServer { connection in
            var place = 0
            while let head = try await connection.head() {
                let body: Data
                do {
                    body = try await connection.body()
                } catch {
                    state.withLockedValue { $0.brokenOff += 1 }
                    throw error
                }
                let received = state.withLockedValue { [place] state in
                    let received = Received(number: state.count, place: place, head: head, body: body)
                    state.count += 1
                    if keepsRequests { state.received.append(received) }
                    return received
                }
                place += 1
                switch await react(received) {
                case .respond(let status, let headers, let body):
                    let lines = ["HTTP/1.1 \(status) -"] + headers + ["Content-Length: \(body.count)", "", ""]
                    let sent = head.method == "HEAD" ? Data() : body
                    try await connection.writer.write(Data(lines.joined(separator: "\r\n").utf8) + sent)
                case .cut:
                    return
                case .part(let headers, let body, let length):
                    let lines = ["HTTP/1.1 200 OK"] + headers + ["Content-Length: \(length)", "", ""]
                    try await connection.writer.write(Data(lines.joined(separator: "\r\n").utf8) + body)
                    return
                case .stall:
                    await connection.waitUntilClosed()
                    return
                }
            }
        }
        self.state = state
    }

    /// A URL of the server.
    public func url(_ path: String = "/") -> URL { server.url(path) }

    /// The number of requests.
    public var count: Int { state.withLockedValue { $0.count } }

    /// The number of requests whose bodies were broken off.
    public var brokenOff: Int { state.withLockedValue { $0.brokenOff } }

    /// All requests, if they are stored.
    public var requests: [Received] { state.withLockedValue { $0.received } }

    /// Stops listening and closes all connections.
    public func shutDown() async { await server.shutDown() }
}
