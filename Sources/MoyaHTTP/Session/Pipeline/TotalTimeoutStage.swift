/// Ends a request that exceeds its total timeout, with all attempts and delays.
struct TotalTimeoutStage: RequestStage {
    let clock: any Clock<Duration>

    nonisolated(nonsending) func respond(
        to request: UncheckedRequest,
        context: RequestContext,
        next: RequestHandler
    ) async throws -> TransportResponse {
        guard let limit = context.timeouts?.total else { return try await next(request, context) }
        return try await TimeLimit(.total, limit, clock).send(request, context, to: next)
    }

    func isNeeded(for request: UncheckedRequest, context: RequestContext) -> Bool { context.timeouts?.total != nil }
}
