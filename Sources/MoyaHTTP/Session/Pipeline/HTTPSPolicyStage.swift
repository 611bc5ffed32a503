/// Stores the policies of servers that require TLS from their responses (RFC 6797, section 8.1).
struct HTTPSPolicyStage: ExchangeStage {
    let store: StrictTransportSecurityStore

    nonisolated(nonsending) func respond(
        to request: TransportRequest,
        context: RequestContext,
        next: ExchangeHandler
    ) async throws -> TransportResponse {
        let response = try await next(request, context)
        store.record(response, from: request.url)
        return response
    }
}
