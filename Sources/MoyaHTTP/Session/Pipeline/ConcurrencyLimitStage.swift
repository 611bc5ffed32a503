import Foundation

/// Waits for a permit of a concurrency limiter before a request, and gives it back when the request ends.
struct ConcurrencyLimitStage: RequestStage {
    let limiter: ConcurrencyLimiter
    /// The hosts whose requests ``HTTPSUpgradeStage`` sends over TLS.
    let store: StrictTransportSecurityStore?

    nonisolated(nonsending) func respond(
        to request: UncheckedRequest,
        context: RequestContext,
        next: RequestHandler
    ) async throws -> TransportResponse {
        guard let key = try limiter.key.value(of: request, context, store) else {
            return try await next(request, context)
        }
        let permit: ConcurrencyPermit
        switch limiter.request(key) {
        case .granted(let granted): permit = granted
        case .waits(let wait): permit = try await waitForPermit(wait, key, request, context)
        case .refused(let error): throw error.asURLError(.resourceUnavailable, of: request.urlRequest.url)
        }
        do {
            let response = try await next(request, context)
            let outcome = limiter.outcome(ofStatus: response.status, permit)
            // An upgraded connection may never end, and does not load the server as a request does.
            if case .stream(let stream) = response.body, !response.isSaved, !response.isUpgraded {
                return holding(permit, outcome, key, until: stream, of: response)
            }
            limiter.release(permit, outcome, of: key)
            return response
        } catch {
            // Other errors, such as a failed connection, say nothing about the load.
            limiter.release(permit, error.asURLError?.code == .timedOut ? .overload : .ignored, of: key)
            throw error
        }
    }

    @inline(never)
    private nonisolated(nonsending) func waitForPermit(
        _ wait: ConcurrencyLimiter.Wait,
        _ key: LimitKey.Value,
        _ request: UncheckedRequest,
        _ context: RequestContext
    ) async throws -> ConcurrencyPermit {
        context.events?.report(.waitingForPermit(key: key.text, position: wait.position))
        let url = request.urlRequest.url
        switch await limiter.outcome(of: wait) {
        case .granted(let permit):
            guard context.isEnding else { return permit }
            limiter.release(permit, .ignored, of: key)
            throw URLError.cancelled(url: url)
        case .cancelled: throw URLError.cancelled(url: url)
        case .refused(let error): throw error.asURLError(.timedOut, of: url)
        }
    }

    /// Returns the response with a body that gives the permit back at its end or release.
    @inline(never)
    private func holding(
        _ permit: ConcurrencyPermit,
        _ outcome: AdaptiveLimit.Outcome,
        _ key: LimitKey.Value,
        until stream: TransportBodyStream,
        of response: TransportResponse
    ) -> TransportResponse {
        var held = response
        held.body = .stream(
            stream.observed(onChunk: { _ in }) { [limiter] _ in limiter.release(permit, outcome, of: key) }
        )
        // The chunks are those that the pipeline has read.
        held.tag = response.tag
        return held
    }
}

extension LimitKey {
    /// Returns the key of a request that has not been checked; its origin is that of the URL to which it is sent.
    fileprivate func value(
        of request: UncheckedRequest,
        _ context: RequestContext,
        _ store: StrictTransportSecurityStore?
    ) throws -> Value? {
        guard custom != nil else {
            guard let url = request.urlRequest.url else { return nil }
            return Origin(store?.upgradedURL(for: url) ?? url).map { .origin($0) }
        }
        return value(of: try TransportRequest(forMiddleware: request, context))
    }
}

extension ConcurrencyLimitError {
    fileprivate func asURLError(_ code: URLError.Code, of url: URL?) -> URLError {
        .make(code, url: url, reason: description, cause: self)
    }
}
