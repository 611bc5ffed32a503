import HTTPTypes

/// Records the fields of each exchange for the cache, below the middleware that may change them.
struct SentFieldsStage: ExchangeStage {
    nonisolated(nonsending) func respond(
        to request: TransportRequest,
        context: RequestContext,
        next: ExchangeHandler
    ) async throws -> TransportResponse {
        context.sentFields?.record(request.headers)
        return try await next(request, context)
    }
}
