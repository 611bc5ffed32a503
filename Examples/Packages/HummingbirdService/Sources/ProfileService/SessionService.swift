import Moya
import ServiceLifecycle

/// Shuts the session down after the server, which stops first because it is the last service of the application.
struct SessionService: Service {
    let session: Session

    func run() async throws {
        // The error is a cancellation, after which the session is shut down as well.
        try? await gracefulShutdown()
        await session.shutdown(grace: .seconds(5))
    }
}
