/// Passes each exchange through a middleware.
struct ExchangeMiddlewareStage: ExchangeStage {
    let middleware: any HTTPMiddleware

    nonisolated(nonsending) func respond(
        to request: TransportRequest,
        context: RequestContext,
        next: ExchangeHandler
    ) async throws -> TransportResponse {
        try await middleware.respond(to: request, context: context) { try await next($0, context) }
    }
}
