/// Passes a whole request through a middleware.
struct RequestMiddlewareStage: RequestStage {
    let middleware: any HTTPMiddleware

    nonisolated(nonsending) func respond(
        to request: UncheckedRequest,
        context: RequestContext,
        next: RequestHandler
    ) async throws -> TransportResponse {
        let message = try TransportRequest(forMiddleware: request, context)
        return try await middleware.respond(to: message, context: context) { changed in
            try await next(request.changed(from: message, to: changed), context)
        }
    }
}
