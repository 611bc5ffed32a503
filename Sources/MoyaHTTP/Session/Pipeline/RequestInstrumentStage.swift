/// Lets an instrument observe a whole request.
struct RequestInstrumentStage: RequestStage {
    let instrument: any RequestInstrument

    nonisolated(nonsending) func respond(
        to request: UncheckedRequest,
        context: RequestContext,
        next: RequestHandler
    ) async throws -> TransportResponse {
        try await instrument.observe(request.urlRequest, context) { try await next(request, context) }
    }
}
