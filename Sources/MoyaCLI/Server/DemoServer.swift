#if NIO
    import Foundation
    import Hummingbird
    import ServiceLifecycle

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
            let (ports, newPorts) = AsyncStream<Int?>.makeStream()
            var application = Application(
                router: DemoRouter(faults: faults, slowRequests: slowRequests).router,
                configuration: .init(address: .hostname("127.0.0.1", port: 0), serverName: "moya-cli"),
                onServerRunning: { newPorts.yield($0.localAddress?.port) }
            )
            // Only the transcript is shown.
            application.logger.logLevel = .critical
            var configuration = ServiceGroupConfiguration(services: [application], logger: application.logger)
            // A client that keeps its connection open must not block the shutdown.
            configuration.maximumGracefulShutdownDuration = .seconds(2)
            let services = ServiceGroup(configuration: configuration)
            return try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    // If the server fails to start, waiting for the port ends.
                    defer { newPorts.finish() }
                    try await services.run()
                }
                guard let port = await ports.first(where: { _ in true }) ?? nil,
                    let baseURL = URL(string: "http://127.0.0.1:\(port)")
                else {
                    try await group.waitForAll()
                    throw DemoServerError.didNotStart
                }
                let result: Result<Value, any Error>
                do {
                    result = .success(try await body(DemoServer(baseURL: baseURL, slowRequests: slowRequests)))
                } catch {
                    result = .failure(error)
                }
                // Graceful, as a cancelled server drops connections that it has accepted but not processed.
                await services.triggerGracefulShutdown()
                try await group.waitForAll()
                return try result.get()
            }
        }
    }

    enum DemoServerError: Error, LocalizedError {
        case didNotStart

        var errorDescription: String? { "The embedded server did not start." }
    }
#endif
