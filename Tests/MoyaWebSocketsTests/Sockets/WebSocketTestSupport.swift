#if NIO && !canImport(Darwin)
import Foundation
import TestServers

@testable import MoyaHTTP

/// Runs a test with a session and a server; the session shares nothing with others.
func withWebSocketServer(
    carrying: WebSocketCarrying = .bytes,
    options: SessionOptions = SessionOptions(cookieStorage: nil),
    answer: @escaping @Sendable (RequestHead) -> WebSocketServer.Answer = { _ in .open() },
    _ serve: @escaping @Sendable (WebSocketServer.Peer) async throws -> Void,
    test: (Session, WebSocketServer) async throws -> Void
) async throws {
    let server = try await WebSocketServer(answer: answer, serve)
    try await withSession(over: carrying.transport, options: options) { try await test($0, server) }
    await server.shutDown()
}

/// Runs a test with a session that shares nothing with others, and then shuts the transport down.
func withSession(
    over transport: any HTTPTransport,
    options: SessionOptions = SessionOptions(cookieStorage: nil),
    test: (Session) async throws -> Void
) async throws {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpCookieStorage = nil
    configuration.urlCredentialStorage = nil
    let session = Session(transport: transport, configuration: configuration, options: options)
    do {
        try await test(session)
    } catch {
        await transport.shutdown()
        throw error
    }
    await transport.shutdown()
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
