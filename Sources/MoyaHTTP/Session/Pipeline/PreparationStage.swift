/// Passes a request through the stage that came with it: a provider's, whose plugins prepare the request.
struct PreparationStage: RequestStage {
    nonisolated(nonsending) func respond(
        to request: OutgoingRequest,
        context: RequestContext,
        next: RequestHandler
    ) async throws -> TransportResponse {
        guard let preparation = context.settings.preparation else { return try await next(request, context) }
        return try await preparation.respond(to: request, context: context, next: next)
    }

    func isNeeded(for request: OutgoingRequest, context: RequestContext) -> Bool {
        context.settings.preparation != nil
    }
}
