import Foundation

/// Checks a request, passes it on as an exchange, and follows redirects by the rules of ``RedirectState`` (RFC 9110, section 15.4).
///
/// It is the last stage for requests. It gets a request once for each attempt, and passes on an exchange for the request and for
/// each redirect.
struct RedirectStage: RequestStage {
    /// Decides about the redirects of requests that have no handler.
    let redirectHandler: any RedirectHandler
    let exchangeStages: ExchangeHandler

    nonisolated(nonsending) func respond(
        to request: UncheckedRequest,
        context: RequestContext,
        next _: RequestHandler
    ) async throws -> TransportResponse {
        context.record.recordRequest(request.urlRequest)
        return try await send(request, context.with(AttemptScope()))
    }

    /// Checks a request, passes it on as an exchange, and follows the redirects.
    @inline(__always)
    nonisolated(nonsending) func send(
        _ request: UncheckedRequest,
        _ context: RequestContext
    ) async throws -> TransportResponse {
        let sent = try TransportRequest(checking: request, context)
        var response = try await sendExchange(sent, context)
        if (300..<400).contains(response.status) {
            try await followRedirects(from: &response, to: sent, request, context)
        }
        return response
    }

    /// Passes an exchange on, and records it.
    @inline(__always)
    private nonisolated(nonsending) func sendExchange(
        _ request: TransportRequest,
        _ context: RequestContext
    ) async throws -> TransportResponse {
        context.record.recordExchange(request, in: context.settings.bodyHandling.isContinuable ? context.attempt : nil)
        return try await exchangeStages(request, context)
    }

    /// Follows redirects as long as there are any, and replaces the response by the final one.
    ///
    /// A request that follows a redirect passes the adapters, unless the redirects have left the origin.
    // Rare path: see PipelineStage.swift.
    @inline(never)
    private nonisolated(nonsending) func followRedirects(
        from response: inout TransportResponse,
        to first: TransportRequest,
        _ original: UncheckedRequest,
        _ context: RequestContext
    ) async throws {
        let handler = context.settings.redirectHandler ?? redirectHandler
        var redirects = RedirectState(
            RedirectRequest(first),
            isBodyRepeatable: first.isBodyRepeatable,
            options: handler.options
        )
        let addedFields = try context.session.policies.addedFields.get()
        var (request, sent, attempt) = (original, first, context.attempt)
        while let redirect = redirects.handleResponse(status: response.status, headers: response.headers),
            let redirected = try redirects.handleDecision(try await handler.redirect(redirect), on: redirect)
        {
            // The next exchange may need the connection of a body that is not read.
            await response.dropBody()
            context.events?.report(.redirecting(to: redirected.url))
            context.record.recordRedirect()
            attempt.followRedirect(from: sent.url, to: redirected, hasCrossedOrigin: redirects.hasCrossedOrigin)
            request = request.following(redirected, withoutAdded: addedFields)
            if redirects.hasCrossedOrigin || context.settings.interceptor == nil {
                sent = sent.following(redirected)
            } else {
                request.urlRequest = try await context.adapt(request.urlRequest)
                sent = try TransportRequest(checking: request, context)
            }
            try redirects.checkForLoop(sending: sent.method, to: sent.url)
            context.record.recordCurrentRequest(request.urlRequest)
            response = try await sendExchange(sent, context.with(attempt))
        }
    }
}
