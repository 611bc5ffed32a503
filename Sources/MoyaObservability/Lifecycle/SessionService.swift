#if Observability
import Logging
import MoyaHTTP
import ServiceLifecycle

/// A service of swift-service-lifecycle that shuts down a session when its service group ends.
///
///     let group = ServiceGroup(services: [SessionService(session), application], logger: logger)
///     try await group.run()
///
/// A group shuts down its services in the opposite order. Put the session before the services that send requests, so that they end
/// first. When its turn comes, the session refuses new requests, and waits for the running ones: ``Session/shutdown(grace:)``.
public struct SessionService: Service {
    private let session: Session
    private let grace: Duration
    private let logger: Logger?

    /// Creates a service.
    ///
    /// - Parameters:
    ///   - session: The session, such as `provider.session`.
    ///   - grace: The maximum time for which running requests may continue. A maximum time of the group should be longer.
    ///   - logger: Logs the outcome; `nil` for no log.
    public init(_ session: Session, grace: Duration = .seconds(30), logger: Logger? = nil) {
        (self.session, self.grace, self.logger) = (session, grace, logger)
    }

    /// Waits for the graceful shutdown of the group, and shuts down the session.
    ///
    /// If the task is cancelled, as a group does when another service fails, running requests are cancelled immediately.
    public func run() async throws {
        // The wait throws when the task is cancelled. The session is shut down in either case.
        try? await gracefulShutdown()
        let result = await session.shutdown(grace: grace)
        logger?.info(
            "HTTP session is shut down",
            metadata: [
                "moya.requests.finished": "\(result.finished)", "moya.requests.cancelled": "\(result.cancelled)",
            ]
        )
    }
}
#endif
