import Foundation
import MoyaHTTP
import TestServers

#if AsyncHTTPClient && !canImport(Darwin)
    import AsyncHTTPClient
    import MoyaAsyncHTTPClient
#endif

/// The transports that every rule is tested on.
enum TransportKind: String, CaseIterable, Sendable {
    #if NIO && !canImport(Darwin)
        case nio
    #endif
    #if AsyncHTTPClient && !canImport(Darwin)
        case asyncHTTPClient
    #endif
    case urlSession

    #if NIO && !canImport(Darwin)
        /// The transports that use SwiftNIO.
        static let overNIO: [TransportKind] = allCases.filter { $0 != .urlSession }
    #endif

    func make() -> any HTTPTransport {
        switch self {
        #if NIO && !canImport(Darwin)
            case .nio: NIOTransport()
        #endif
        #if AsyncHTTPClient && !canImport(Darwin)
            case .asyncHTTPClient: OwnClientTransport()
        #endif
        case .urlSession: URLSessionTransport()
        }
    }

    /// Whether a request may get a connection that is about to be closed after the response before.
    var mayGiveOutClosingConnections: Bool {
        #if AsyncHTTPClient && !canImport(Darwin)
            self == .asyncHTTPClient
        #else
            false
        #endif
    }

    /// URLSession on Linux reads bodies on a queue that nothing may hold up.
    var sendsSequences: Bool { self != .urlSession || !foundationIsOnLinux }

    /// URLSession on Linux declares the length of bytes only.
    var declaresLengths: Bool { self != .urlSession || !foundationIsOnLinux }

    /// Runs a test with a transport, and shuts that down.
    func withTransport(_ body: (any HTTPTransport) async throws -> Void) async throws {
        let transport = make()
        try await transport.shutDown(after: { try await body(transport) })
    }

    /// Runs a test with a transport and a server that behaves.
    func withPlainServer(_ body: @Sendable (any HTTPTransport, PlainServer) async throws -> Void) async throws {
        try await PlainServer.run { server in
            try await withTransport { try await body($0, server) }
        }
    }

    /// Runs a test with a transport and a server that does not.
    func withMisbehavingServer(
        _ body: (any HTTPTransport, MisbehavingServer) async throws -> Void
    ) async throws {
        let server = try await MisbehavingServer()
        try await withTransport { try await body($0, server) }
        try await server.shutDown()
    }
}

extension HTTPTransport {
    /// Runs what uses the transport, and then shuts it down, also where that fails.
    func shutDown<Result>(after body: () async throws -> Result) async throws -> Result {
        let result: Result
        do {
            result = try await body()
        } catch {
            await shutdown()
            throw error
        }
        await shutdown()
        return result
    }
}

#if AsyncHTTPClient && !canImport(Darwin)
    /// The transport over a client, set up as its documentation says; the client goes with it.
    final class OwnClientTransport: HTTPTransport {
        private let client: HTTPClient
        private let transport: AsyncHTTPClientTransport

        init() {
            // The time-outs of a request are the transport's: the client's must not come first.
            var configuration = HTTPClient.Configuration(
                redirectConfiguration: .disallow,
                timeout: .init(connect: .hours(1))
            )
            configuration.connectionPool.retryConnectionEstablishment = false
            // On several loops AsyncHTTPClient 1.37 ends the process when a server answers early, and closes.
            client = HTTPClient(eventLoopGroup: HTTPClient.defaultEventLoopGroup.next(), configuration: configuration)
            transport = AsyncHTTPClientTransport(client: client)
        }

        deinit { client.shutdown { _ in } }

        func send(_ request: TransportRequest) async throws -> TransportResponse { try await transport.send(request) }

        func shutdown() async {
            await transport.shutdown()
            // The one error there is says that it is shut down already.
            try? await client.shutdown()
        }

        func shutdown(grace: Duration) async -> ShutdownResult {
            let result = await transport.shutdown(grace: grace)
            try? await client.shutdown()
            return result
        }
    }
#endif

#if canImport(FoundationNetworking)
    let foundationIsOnLinux = true
#else
    let foundationIsOnLinux = false
#endif
