import Foundation
import MoyaHTTP
import TestServers

/// The transports that every rule is tested on.
enum TransportKind: String, CaseIterable, Sendable {
    #if AsyncHTTPClient && !canImport(Darwin)
        case asyncHTTPClient
    #endif
    case urlSession

    func make() -> any HTTPTransport {
        switch self {
        #if AsyncHTTPClient && !canImport(Darwin)
            case .asyncHTTPClient: AsyncHTTPClientTransport()
        #endif
        case .urlSession: URLSessionTransport()
        }
    }

    /// URLSession on Linux reads bodies on a queue that nothing may hold up.
    var sendsSequences: Bool { self != .urlSession || !foundationIsOnLinux }

    /// URLSession on Linux declares the length of bytes only.
    var declaresLengths: Bool { self != .urlSession || !foundationIsOnLinux }

    /// Runs a test with a transport, and shuts that down.
    func withTransport(_ body: (any HTTPTransport) async throws -> Void) async throws {
        let transport = make()
        do {
            try await body(transport)
        } catch {
            await transport.shutdown()
            throw error
        }
        await transport.shutdown()
    }

    /// Runs a test with a transport and a server that behaves.
    func withPlainServer(_ body: @Sendable (any HTTPTransport, PlainServer) async throws -> Void) async throws {
        try await PlainServer.run { server in
            let transport = make()
            try await body(transport, server)
            await transport.shutdown()
        }
    }

    /// Runs a test with a transport and a server that does not.
    func withMisbehavingServer(
        _ body: (any HTTPTransport, MisbehavingServer) async throws -> Void
    ) async throws {
        let server = try await MisbehavingServer()
        let transport = make()
        try await body(transport, server)
        await transport.shutdown()
        try await server.shutDown()
    }
}

#if canImport(FoundationNetworking)
    let foundationIsOnLinux = true
#else
    let foundationIsOnLinux = false
#endif
