import Hummingbird
import Moya

/// Responds with a status of the service when a request to GitHub fails, and logs the error.
///
/// Clients get no text of the error, which may name internal hosts. The log masks secrets.
struct UpstreamErrors<Context: Hummingbird.RequestContext>: RouterMiddleware {
    func handle(
        _ request: Hummingbird.Request,
        context: Context,
        next: (Hummingbird.Request, Context) async throws -> Hummingbird.Response
    ) async throws -> Hummingbird.Response {
        do {
            return try await next(request, context)
        } catch let error as MoyaError {
            context.logger.warning("\(error)")
            throw Self.httpError(for: error)
        }
    }

    static func httpError(for error: MoyaError) -> HTTPError {
        switch error.statusCode {
        case 404:
            return HTTPError(.notFound, message: "GitHub does not know this user.")
        case 403, 429:
            // GitHub limits the number of requests with both statuses.
            let retryAfter = error.response?.headers["Retry-After"] ?? "60"
            return HTTPError(.serviceUnavailable, headers: [.retryAfter: retryAfter], message: "Too many requests.")
        default:
            if error.isTimeout { return HTTPError(.gatewayTimeout, message: "GitHub did not respond in time.") }
            if error.urlError?.isShutdown == true { return HTTPError(.serviceUnavailable) }
            return HTTPError(.badGateway, message: "GitHub did not respond as expected.")
        }
    }
}
