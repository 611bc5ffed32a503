#if NIO && !canImport(Darwin)
import Foundation
import FoundationNetworking
import TestServers
import Testing

@testable import MoyaHTTP

/// Expects two values to be equal; the first may be awaited.
func expectEqual<Value: Equatable>(
    _ value: Value,
    _ expected: Value,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    #expect(value == expected, sourceLocation: sourceLocation)
}

/// A transport, and a server that sends the given HTTP/2 frames.
enum HTTP2Live {
    static func run(
        settings: [(identifier: UInt16, value: UInt32)]? = [],
        receiveBuffer: Int = 65_536,
        connections: Int = 6,
        idleTimeout: Duration? = nil,
        http1: (@Sendable (RawConnection) async throws -> Void)? = nil,
        _ serve: @escaping @Sendable (HTTP2Peer) async throws -> Void,
        then body: (NIOTransport, HTTP2Server) async throws -> Void
    ) async throws {
        let authority = try TestAuthority()
        let server = try await HTTP2Server(
            tls: try authority.issue().serverConfiguration(),
            settings: settings,
            receiveBuffer: receiveBuffer,
            http1: http1,
            serve
        )
        var configuration = try TransportConfiguration(trusting: authority)
        configuration.maximumConnectionsPerHost = connections
        configuration.idleConnectionTimeout = idleTimeout
        let transport = try NIOTransport(connection: configuration)
        try await transport.shutDown(after: { try await body(transport, server) })
        await server.shutDown()
    }

    /// Sends a GET or another request and returns the body as text.
    static func text(
        _ transport: NIOTransport,
        _ url: URL,
        method: HTTPMethod = .get,
        body: HTTPBody? = nil,
        headers: HTTPFields = [:]
    ) async throws -> String {
        let request = TransportRequest(method: method, url: url, headers: headers, body: body)
        return String(decoding: try await transport.send(request).collected(), as: UTF8.self)
    }

    /// Sends a request as ``text(_:_:method:body:headers:)`` does, with the resends of a session.
    static func resentText(
        _ transport: NIOTransport,
        _ url: URL,
        method: HTTPMethod = .get,
        body: HTTPBody? = nil
    ) async throws -> String {
        let response = try await transport.sendAsSession(TransportRequest(method: method, url: url, body: body))
        return String(decoding: try await response.collected(), as: UTF8.self)
    }

    /// Responds to each request with its path.
    static func echo(_ peer: HTTP2Peer) async throws {
        while let request = try await peer.request() {
            try await peer.respond(body: request.path, on: request.stream)
        }
    }

    /// Returns the error code of an exchange; `nil` if it succeeds.
    static func code(_ body: () async throws -> some Sendable) async -> URLError.Code? {
        do {
            _ = try await body()
            return nil
        } catch {
            return (error as? URLError)?.code ?? .unknown
        }
    }
}
#endif
