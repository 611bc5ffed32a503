import HTTPTypes

/// Undoes the content codings of responses (RFC 9110, section 8.4), unless the transport has done so.
struct ContentDecodingStage: ExchangeStage {
    nonisolated(nonsending) func respond(
        to request: TransportRequest,
        context: RequestContext,
        next: ExchangeHandler
    ) async throws -> TransportResponse {
        try await next(request, context).decoded(for: request)
    }
}
