/// Prepares each attempt by the ``RequestPreparation`` that came with the request.
struct PreparationStage: RequestStage {
    nonisolated(nonsending) func respond(
        to request: UncheckedRequest,
        context: RequestContext,
        next: RequestHandler
    ) async throws -> TransportResponse {
        var request = request
        if let preparation = context.settings.preparation {
            request.urlRequest = try preparation.prepare(request.urlRequest, record: context.record)
        }
        return try await next(request, context)
    }

    func isNeeded(for request: UncheckedRequest, context: RequestContext) -> Bool {
        context.settings.preparation != nil
    }
}
