#if NIO && !canImport(Darwin)
import Foundation
import TestServers

@testable import MoyaHTTP

/// Runs a test with a session of its own and a server.
func withWebSocketServer<R: Sendable>(
    options: SessionOptions = SessionOptions(cookieStorage: nil),
    receiveBuffer: Int = 65_536,
    answer: @escaping @Sendable (RequestHead) -> WebSocketServer.Answer = { _ in .open() },
    _ serve: @escaping @Sendable (WebSocketServer.Peer) async throws -> Void,
    test: (Session, WebSocketServer) async throws -> R
) async throws -> R {
    let server = try await WebSocketServer(receiveBuffer: receiveBuffer, answer: answer, serve)
    let transport = NIOTransport()
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpCookieStorage = nil
    configuration.urlCredentialStorage = nil
    let session = Session(transport: transport, configuration: configuration, options: options)
    return try await transport.shutDown(after: {
        let result: Result<R, any Error>
        do { result = .success(try await test(session, server)) } catch { result = .failure(error) }
        await server.shutDown()
        return try result.get()
    })
}

extension Session {
    /// Opens a WebSocket to a server.
    func open(_ server: WebSocketServer, _ path: String = "/", _ options: WebSocketOptions = .plain) async throws
        -> WebSocket
    {
        try await webSocket(for: URLRequest(url: server.url(path)), options: options)
    }
}

extension WebSocketOptions {
    /// Options without compression.
    static let plain = WebSocketOptions(compression: nil)
}

/// Values that a server reports to a test, one after the other.
struct Reports<Value: Sendable>: Sendable {
    private let stream: AsyncStream<Value>
    private let continuation: AsyncStream<Value>.Continuation

    init() { (stream, continuation) = AsyncStream.makeStream() }

    func add(_ value: Value) { continuation.yield(value) }

    /// Waits for the next value; one task waits at a time.
    func next() async -> Value? { await stream.first { _ in true } }
}
#endif
