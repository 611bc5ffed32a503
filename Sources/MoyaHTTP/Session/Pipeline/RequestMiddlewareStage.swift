/// Passes a whole request through a middleware.
struct RequestMiddlewareStage: RequestStage {
    let middleware: any HTTPMiddleware

    nonisolated(nonsending) func respond(
        to request: UncheckedRequest,
        context: RequestContext,
        next: RequestHandler
    ) async throws -> TransportResponse {
        let checked = try TransportRequest(forMiddleware: request, context)
        return try await middleware.respond(to: checked, context: context) { changed in
            try await next(request.changed(from: checked, to: changed), context)
        }
    }
}
