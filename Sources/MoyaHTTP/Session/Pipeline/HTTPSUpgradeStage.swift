/// Sends a request over TLS if its host requires that (RFC 6797, section 8.3).
///
/// It changes each exchange. ``RedirectState`` changes the target of a redirect too, because it compares origins.
struct HTTPSUpgradeStage: ExchangeStage {
    let store: StrictTransportSecurityStore

    nonisolated(nonsending) func respond(
        to request: TransportRequest,
        context: RequestContext,
        next: ExchangeHandler
    ) async throws -> TransportResponse {
        guard let url = store.upgradedURL(for: request.url) else { return try await next(request, context) }
        var request = request
        request.url = url
        context.record.recordHTTPSUpgrade(to: url)
        return try await next(request, context)
    }
}
