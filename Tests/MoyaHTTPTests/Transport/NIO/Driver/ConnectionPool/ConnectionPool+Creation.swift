#if NIO && !canImport(Darwin)
import Foundation
import FoundationNetworking
import NIOCore
import NIOPosix
import Testing

@testable import MoyaHTTP
@testable import MoyaNIOTransport

extension ConnectionPool {
    /// Creates the only pool in a table.
    convenience init(_ connector: Connector, on loops: [any EventLoop]) {
        self.init(
            connector,
            key: .origin(connector.origin),
            in: ConnectionPoolTable(maximumIdleConnections: 256),
            on: loops
        )
    }

    /// Runs a test with a pool of connections on an event loop that nothing else uses, so that the test can block it.
    static func withOneLoop(
        to url: URL,
        _ configuration: TransportConfiguration = TransportConfiguration(),
        _ body: (_ pool: ConnectionPool, _ loop: any EventLoop) async throws -> Void
    ) async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let loop = group.next()
        let origin = try #require(Origin(url))
        let connector = try ConnectionSettings(configuration).connector(for: origin, host: origin.host)
        let pool = ConnectionPool(connector, on: [loop])
        try await body(pool, loop)
        try await pool.shutDown { .cancelled(url: $0) }.get()
        try await group.shutdownGracefully()
    }
}
#endif
