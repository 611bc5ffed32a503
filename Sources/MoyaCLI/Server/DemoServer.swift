#if NIO
import Foundation
import TestServers

/// The server of the demo's API on a free port of the loopback interface.
struct DemoServer: Sendable {
    let baseURL: URL
    let slowRequests: SlowRequests

    /// Starts a server, runs a function with it, and stops it with all its connections and tasks.
    static func run<Value: Sendable>(
        faults: Set<DemoFault> = [],
        _ body: (DemoServer) async throws -> Value
    ) async throws -> Value {
        let slowRequests = SlowRequests()
        let router = DemoRouter(faults: faults, slowRequests: slowRequests)
        let server = try await HTTPServer { try await router.response(to: $0) }
        let result: Result<Value, any Error>
        do {
            result = .success(try await body(DemoServer(baseURL: server.baseURL, slowRequests: slowRequests)))
        } catch {
            result = .failure(error)
        }
        await server.shutDown()
        return try result.get()
    }
}
#endif
