import Foundation
import HTTPTypes

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Checks a request, passes it on as exchanges, and follows redirects (RFC 9110, section 15.4).
///
/// It is the last stage for requests. It gets a request once for each attempt, and passes on an exchange for the request and for
/// each redirect.
struct RedirectStage: RequestStage {
    let policies: SessionPolicies
    let exchangeStages: ExchangeHandler

    nonisolated(nonsending) func respond(
        to request: UncheckedRequest,
        context: RequestContext,
        next: RequestHandler
    ) async throws -> TransportResponse {
        var context = context
        context.attempt = AttemptScope()
        context.record.recordRequest(request.urlRequest)
        return try await sendAndFollowRedirects(request, context)
    }

    /// Sends a request again for another part of its response, and follows its redirects again.
    ///
    /// - Parameters:
    ///   - request: The request before any redirect.
    ///   - fields: The fields to set.
    ///   - first: The exchange of the first part, whose limits are kept.
    ///   - context: The context of the request.
    /// - Returns: The response.
    /// - Throws: The error of an exchange or of a redirect.
    // Rare path: see PipelineStage.swift.
    @inline(never)
    nonisolated(nonsending) func requestAgain(
        _ request: URLRequest,
        setting fields: RangeFields,
        like first: RequestRecord.SentExchange,
        _ context: RequestContext
    ) async throws -> TransportResponse {
        var context = context
        context.attempt = AttemptScope(within: first.attempt)
        var request = UncheckedRequest(request)
        let limits = first.request
        request.transportChanges = { message in
            (message.idleTimeout, message.totalTimeout) = (limits.idleTimeout, limits.totalTimeout)
            message.decodingLimits = limits.decodingLimits
            for (name, values) in fields.values { message.headers[fields: name] = values }
        }
        return try await sendAndFollowRedirects(request, context)
    }

    /// Checks a request, passes it on as an exchange, and follows the redirects.
    @inline(__always)
    private nonisolated(nonsending) func sendAndFollowRedirects(
        _ request: UncheckedRequest,
        _ context: RequestContext
    ) async throws -> TransportResponse {
        let sent = try makeTransportRequest(for: request, context)
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
    // Rare path: see PipelineStage.swift.
    @inline(never)
    private nonisolated(nonsending) func followRedirects(
        from response: inout TransportResponse,
        to sent: TransportRequest,
        _ request: UncheckedRequest,
        _ context: RequestContext
    ) async throws {
        var (sent, request, context) = (sent, request, context)
        var redirects: RedirectState?
        while let target = try await redirectTarget(of: response, to: sent, &redirects, context), var state = redirects
        {
            // The next exchange may need the connection of a body that is not read.
            await response.dropBody()
            sent = try await makeTransportRequest(
                following: target,
                after: sent,
                request: &request,
                redirects: &state,
                context: &context
            )
            redirects = state
            response = try await sendExchange(sent, context)
        }
    }

    /// Checks a request, and creates the form of it that the exchange stages get.
    private func makeTransportRequest(
        for request: UncheckedRequest,
        _ context: RequestContext
    ) throws -> TransportRequest {
        var checked = try policies.transportRequest(
            for: request,
            bufferLimit: context.settings.bodyHandling.bufferLimit,
            target: context.target
        )
        checked.droppableBodies = context.settings.interceptor == nil ? .redirectsAndChallenges : .failures
        return checked
    }

    /// Returns the request that a response redirects to; `nil` if the response is final.
    private nonisolated(nonsending) func redirectTarget(
        of response: TransportResponse,
        to sent: TransportRequest,
        _ redirects: inout RedirectState?,
        _ context: RequestContext
    ) async throws -> RedirectRequest? {
        guard (300..<400).contains(response.status) else { return nil }
        let handler = context.settings.redirectHandler ?? policies.redirectHandler
        var state =
            redirects
            ?? RedirectState(
                RedirectRequest(sent),
                isBodyRepeatable: sent.body?.isRepeatable ?? true,
                options: handler.options
            )
        guard let redirect = state.handleResponse(status: response.status, headers: response.headers) else {
            return nil
        }
        let next = try state.handleDecision(try await handler.redirect(redirect), on: redirect)
        redirects = state
        return next
    }

    /// Creates the request that follows a redirect, and records the redirect.
    ///
    /// If the redirects have stayed within the origin, the new request passes the adapters.
    private nonisolated(nonsending) func makeTransportRequest(
        following target: RedirectRequest,
        after sent: TransportRequest,
        request: inout UncheckedRequest,
        redirects: inout RedirectState,
        context: inout RequestContext
    ) async throws -> TransportRequest {
        context.events?.report(.redirecting(to: target.url))
        context.record.recordRedirect()
        context.attempt.recordRedirect(from: sent.url, to: target, hasCrossedOrigin: redirects.hasCrossedOrigin)
        if !target.hasBody { request.body = nil }
        request.urlRequest = request.urlRequest.following(target)
        var following = sent.following(target)
        if !redirects.hasCrossedOrigin, context.settings.interceptor != nil {
            request.urlRequest = try await context.adapt(request.urlRequest)
            following = try makeTransportRequest(for: request, context)
        }
        try redirects.recordRequest(following.method, to: following.url)
        context.record.recordRedirected(request.urlRequest)
        return following
    }
}

extension URLRequest {
    /// Returns the request that follows a redirect, as adapters and monitors see it.
    fileprivate func following(_ redirect: RedirectRequest) -> URLRequest {
        var request = self
        request.url = redirect.url
        request.httpMethod = redirect.method.rawValue
        request.setFields(redirect.headers, replacing: (allHTTPHeaderFields ?? [:]).keys)
        if !redirect.hasBody { (request.httpBody, request.httpBodyStream) = (nil, nil) }
        return request
    }
}
