import Foundation

/// Adds cookies to a request, and stores the cookies of the response (RFC 6265), unless the request turns that off
/// (`httpShouldHandleCookies`).
struct CookieStage: ExchangeStage {
    let cookies: SessionCookies

    nonisolated(nonsending) func respond(
        to request: TransportRequest,
        context: RequestContext,
        next: ExchangeHandler
    ) async throws -> TransportResponse {
        guard cookies.areHandled(for: request) else { return try await next(request, context) }
        var request = request
        cookies.add(to: &request, context: context.attemptScope.cookies)
        let response = try await next(request, context)
        cookies.store(response, to: request, context: context.attemptScope.cookies)
        return response
    }
}
