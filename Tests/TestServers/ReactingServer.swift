import Foundation
import NIOConcurrencyHelpers

/// A server that stores requests, and responds to each as a function says; for small bodies.
public final class ReactingServer: Sendable {
    /// One request.
    public struct Received: Equatable, Sendable {
        /// How many requests came before it.
        public let number: Int
        /// How many requests came before it on its connection.
        public let place: Int
        /// Its head.
        public let head: RequestHead
        /// Its body, without its framing.
        public let body: Data

        /// The body as text.
        public var text: String { String(decoding: body, as: UTF8.self) }
    }

    /// What is done with a request.
    public enum Reaction: Sendable {
        /// This status, these lines of the head, and this body.
        case respond(Int, headers: [String] = [], body: Data = Data("ok".utf8))
        /// The connection is closed without an answer.
        case cut
        /// The head of a body of so many bytes and the first of them, and then the connection is closed.
        case part(headers: [String] = [], body: Data, of: Int)
        /// Nothing more, until the client closes the connection.
        case stall

        /// Ten bytes of a hundred.
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
    ///   - keepsRequests: Whether all requests are stored, and not only counted.
    ///   - react: Returns the reaction to a request; without it, each is answered with 200 and `ok`.
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

    /// How many requests there were.
    public var count: Int { state.withLockedValue { $0.count } }

    /// How many requests were broken off in their bodies.
    public var brokenOff: Int { state.withLockedValue { $0.brokenOff } }

    /// All requests, if they are kept.
    public var requests: [Received] { state.withLockedValue { $0.received } }

    /// Stops listening, and closes all connections.
    public func shutDown() async { await server.shutDown() }
}
