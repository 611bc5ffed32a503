import Foundation

/// Passes a request through the adapters: first the adapters of the session, and then the adapters of the request.
///
/// The redirect stage passes the requests that redirects lead to through them as well, unless the redirects have left the origin.
struct AdaptStage: RequestStage {
    nonisolated(nonsending) func respond(
        to request: UncheckedRequest,
        context: RequestContext,
        next: RequestHandler
    ) async throws -> TransportResponse {
        var request = request
        request.urlRequest = try await context.adapt(request.urlRequest)
        // An adapter may take long.
        try context.throwIfEnding(request)
        return try await next(request, context)
    }

    func isNeeded(for request: UncheckedRequest, context: RequestContext) -> Bool {
        context.hasAdapters
    }
}
