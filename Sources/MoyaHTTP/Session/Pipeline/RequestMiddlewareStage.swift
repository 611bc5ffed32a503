/// Passes a whole request through a middleware.
struct RequestMiddlewareStage: RequestStage {
    let middleware: any HTTPMiddleware

    nonisolated(nonsending) func respond(
        to request: UncheckedRequest,
        context: RequestContext,
        next: RequestHandler
    ) async throws -> TransportResponse {
        let policies = context.session.policies
        // Without the session's fields: adapters and plugins would take them for the request's own.
        let message = try policies.transportRequest(
            for: request,
            headers: [:],
            bufferLimit: context.settings.bodyHandling.bufferLimit
        )
        return try await middleware.respond(to: message, context: context) { changed in
            try await next(request.changed(from: message, to: changed), context)
        }
    }
}
