import Foundation

/// Waits for the permission of a rate limiter before each exchange, and tells the limiter what the response says about rates.
struct RateLimitStage: ExchangeStage {
    let limiter: RateLimiter

    nonisolated(nonsending) func respond(
        to request: TransportRequest,
        context: RequestContext,
        next: ExchangeHandler
    ) async throws -> TransportResponse {
        guard let key = limiter.key.value(of: request) else { return try await next(request, context) }
        let scope = context.attemptScope
        // A hedge does not wait, because it must not take the token of a request that waits, possibly its own one.
        let timeLeft = scope.isHedge ? .zero : scope.timeLeft(of: request.exchangeTimeout)
        switch limiter.request(key, timeLeft: timeLeft) {
        case .granted: break
        case .waits(let wait): try await waitForPermission(wait, key, request, context)
        case .refused(let error): throw error.asURLError(of: request.url)
        }
        let sent = limiter.now
        let response: TransportResponse
        do {
            response = try await next(request, context)
        } catch {
            // A further limiter has refused the request, which was not sent.
            if error.asURLError?.rateLimit != nil { limiter.giveBack(key) } else { limiter.requestFailed(key) }
            throw error
        }
        let pause = limiter.receivedResponse(response, to: key, sent: sent)
        if let pause {
            context.events?.report(.rateLimited(key: key.text, for: pause))
        }
        return response
    }

    @inline(never)
    private nonisolated(nonsending) func waitForPermission(
        _ wait: RateLimiter.Wait,
        _ key: LimitKey.Value,
        _ request: TransportRequest,
        _ context: RequestContext
    ) async throws {
        context.events?.report(
            .waitingForRateLimit(key: key.text, position: wait.position, atLeast: wait.expected)
        )
        switch await outcome(of: wait, context) {
        case .granted:
            guard context.isEnding else { return }
            limiter.giveBack(key)
            throw URLError.cancelled(url: request.url)
        case .cancelled: throw URLError.cancelled(url: request.url)
        case .refused(let error): throw error.asURLError(of: request.url)
        }
    }

    /// Waits for the outcome, until the total time of the request is over.
    private nonisolated(nonsending) func outcome(
        of wait: RateLimiter.Wait,
        _ context: RequestContext
    ) async -> RateLimiter.Outcome {
        guard let deadline = context.deadline else { return await limiter.outcome(of: wait) }
        return await deadline.limit { [limiter] in await limiter.outcome(of: wait) } ?? .cancelled
    }
}

extension RateLimitError {
    fileprivate func asURLError(of url: URL) -> URLError {
        .make(.resourceUnavailable, url: url, reason: description, cause: self)
    }
}
