import Foundation
import MoyaHTTP
import TestServers

#if AsyncHTTPClient && !canImport(Darwin)
import AsyncHTTPClient
import MoyaAsyncHTTPClient
#endif

/// The transports on which every rule is tested.
enum TransportKind: String, CaseIterable, Sendable {
    #if NIO && !canImport(Darwin)
    case nio
    #endif
    #if AsyncHTTPClient && !canImport(Darwin)
    case asyncHTTPClient
    #endif
    case urlSession

    #if NIO && !canImport(Darwin)
    #if AsyncHTTPClient
    private static let every: [TransportKind] = [.nio, .asyncHTTPClient, .urlSession]
    #else
    private static let every: [TransportKind] = [.nio, .urlSession]
    #endif
    /// All transports, of which `.ci/run` tests one under the thread sanitizer: the code of sessions above them is the same.
    static let allCases = ProcessInfo.processInfo.environment["MOYA_SANITIZED"] == nil ? every : [.nio]
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

    /// Whether a request may get a connection that is about to be closed after the previous response.
    var mayGiveOutClosingConnections: Bool {
        #if AsyncHTTPClient && !canImport(Darwin)
        self == .asyncHTTPClient
        #else
        false
        #endif
    }

    /// URLSession on Linux reads bodies on a queue that must not be blocked.
    var sendsSequences: Bool { self != .urlSession || !foundationIsOnLinux }

    /// URLSession on Linux declares only the length of bytes in memory.
    var declaresLengths: Bool { self != .urlSession || !foundationIsOnLinux }

    /// Runs a test with a transport and shuts it down.
    func withTransport(_ body: (any HTTPTransport) async throws -> Void) async throws {
        let transport = make()
        try await transport.shutDown(after: { try await body(transport) })
    }

    /// Runs a test with a transport and a well-behaved server.
    func withPlainServer(_ body: @Sendable (any HTTPTransport, PlainServer) async throws -> Void) async throws {
        try await PlainServer.run { server in
            try await withTransport { try await body($0, server) }
        }
    }

    /// Runs a test with a transport and a misbehaving server.
    func withMisbehavingServer(
        _ body: (any HTTPTransport, MisbehavingServer) async throws -> Void
    ) async throws {
        let server = try await MisbehavingServer()
        try await withTransport { try await body($0, server) }
        try await server.shutDown()
    }
}

extension HTTPTransport {
    /// Runs a function and then shuts the transport down, even if the function throws.
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
/// The transport over a client with its documented setup; it owns the client.
final class OwnClientTransport: HTTPTransport {
    private let client: HTTPClient
    private let transport: AsyncHTTPClientTransport

    init() {
        // The transport applies a request's timeouts, so the client's must be longer.
        var configuration = HTTPClient.Configuration(
            redirectConfiguration: .disallow,
            timeout: .init(connect: .hours(1))
        )
        configuration.connectionPool.retryConnectionEstablishment = false
        // On several loops AsyncHTTPClient 1.37 crashes when a server responds early and closes.
        client = HTTPClient(eventLoopGroup: HTTPClient.defaultEventLoopGroup.next(), configuration: configuration)
        transport = AsyncHTTPClientTransport(client: client)
    }

    deinit { client.shutdown { _ in } }

    func send(_ request: TransportRequest) async throws -> TransportResponse { try await transport.send(request) }

    func shutdown() async {
        await transport.shutdown()
        // The only possible error says that it is already shut down.
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
