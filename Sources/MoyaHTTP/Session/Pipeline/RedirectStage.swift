import Foundation
import HTTPTypes

/// Checks a request, passes it on as an exchange, and follows redirects by the rules of ``RedirectState`` (RFC 9110, section 15.4).
///
/// It is the last stage for requests. It gets a request once for each attempt, and passes on an exchange for the request and for
/// each redirect.
struct RedirectStage: RequestStage {
    /// Decides about the redirects of requests that have no handler.
    let redirectHandler: any RedirectHandler
    let sendExchange: ExchangeHandler

    nonisolated(nonsending) func respond(
        to request: UncheckedRequest,
        context: RequestContext,
        next _: RequestHandler
    ) async throws -> TransportResponse {
        context.record.recordRequest(request.urlRequest)
        return try await sendAndRedirect(request, context.with(AttemptScope()))
    }

    /// Checks a request, passes it on as an exchange, and follows the redirects.
    @inline(__always)
    nonisolated(nonsending) func sendAndRedirect(
        _ request: UncheckedRequest,
        _ context: RequestContext
    ) async throws -> TransportResponse {
        let checked = try TransportRequest(checking: request, context)
        let response = try await sendAndRecord(checked, context)
        guard (300..<400).contains(response.status) else { return response }
        return try await followRedirects(
            from: response,
            to: RedirectExchange(request: request, checked: checked, context: context)
        )
    }

    /// Records an exchange, and passes it on.
    @inline(__always)
    private nonisolated(nonsending) func sendAndRecord(
        _ request: TransportRequest,
        _ context: RequestContext
    ) async throws -> TransportResponse {
        context.record.recordCurrentURL(request.url)
        if context.bodyHandling.isContinuable {
            context.record.recordExchange(request, in: context.attemptScope)
        }
        return try await sendExchange(request, context)
    }

    /// An exchange in a chain of redirects.
    private struct RedirectExchange {
        /// The request as adapters and monitors see it.
        var request: UncheckedRequest
        /// The same request for the next stages.
        var checked: TransportRequest
        /// The context, with the scope of the attempt at this exchange.
        var context: RequestContext
    }

    /// Follows redirects as long as there are any, and returns the final response.
    @inline(never)
    private nonisolated(nonsending) func followRedirects(
        from first: TransportResponse,
        to original: RedirectExchange
    ) async throws -> TransportResponse {
        let context = original.context
        let handler = context.settings.redirectHandler ?? redirectHandler
        let sessionSettings = context.session.settings
        let addedFields = try sessionSettings.addedFields.get()
        let isUpgrade = context.bodyHandling.upgrade != nil
        var (exchange, response) = (original, first)
        // A stage below may have sent the exchange over TLS.
        exchange.checked.url = context.record.currentURL ?? exchange.checked.url
        var redirects = RedirectState(
            RedirectRequest(exchange.checked),
            isBodyRepeatable: exchange.checked.isBodyRepeatable,
            options: handler.options,
            // The target of an upgrade may be the URL of a WebSocket.
            secured: { sessionSettings.secured(isUpgrade ? $0.withHTTPScheme : $0) }
        )
        while let redirect = redirects.handleResponse(status: response.status, headers: response.headers),
            let redirected = try redirects.handleDecision(try await handler.redirect(redirect), on: redirect)
        {
            await response.dropBody()
            context.events?.report(.redirecting(to: redirected.url))
            context.record.recordRedirect()
            exchange = try await nextExchange(
                after: exchange,
                to: redirected,
                hasCrossedOrigin: redirects.hasCrossedOrigin,
                withoutAdded: addedFields
            )
            try redirects.checkForLoop(sending: exchange.checked.method, to: exchange.checked.url)
            context.record.recordCurrentRequest(exchange.request.urlRequest)
            response = try await sendAndRecord(exchange.checked, exchange.context)
        }
        return response
    }

    /// Returns the exchange at the target of a redirect.
    ///
    /// Its request passes the adapters, unless the redirects have left the origin.
    private nonisolated(nonsending) func nextExchange(
        after exchange: RedirectExchange,
        to redirected: RedirectRequest,
        hasCrossedOrigin: Bool,
        withoutAdded addedFields: HTTPFields
    ) async throws -> RedirectExchange {
        var next = exchange
        next.context.attemptScope.followRedirect(
            from: exchange.checked.url,
            to: redirected,
            hasCrossedOrigin: hasCrossedOrigin
        )
        next.request = exchange.request.following(redirected, withoutAdded: addedFields)
        if hasCrossedOrigin || !exchange.context.hasInterceptor {
            next.checked = exchange.checked.following(redirected)
        } else {
            next.request.urlRequest = try await exchange.context.adapt(next.request.urlRequest)
            next.checked = try TransportRequest(checking: next.request, next.context)
        }
        return next
    }
}
