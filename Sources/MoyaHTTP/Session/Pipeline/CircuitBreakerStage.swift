import Foundation

/// Refuses an exchange whose circuit is open, and tells the circuit breaker the outcomes of the others.
struct CircuitBreakerStage: ExchangeStage {
    let breaker: CircuitBreaker

    nonisolated(nonsending) func respond(
        to request: TransportRequest,
        context: RequestContext,
        next: ExchangeHandler
    ) async throws -> TransportResponse {
        guard let key = key(of: request, context) else { return try await next(request, context) }
        let pass = try pass(for: request, key, context)
        do {
            let response = try await next(request, context)
            finish(pass, .success(response), key, context)
            return response
        } catch {
            let counted = error.asCancellation(of: request.url, isCancelled: context.isEnding)
            finish(pass, .failure(counted), key, context)
            throw error
        }
    }

    /// Returns the key of the circuit of an exchange; `nil` for none.
    ///
    /// An exchange at another origin than that of its request has a separate circuit: a server must not open the circuit of another
    /// server by redirects to URLs that fail.
    private func key(of request: TransportRequest, _ context: RequestContext) -> LimitKey.Value? {
        guard let key = breaker.key.value(of: request) else { return nil }
        guard context.attemptScope.hasCrossedOrigin, let url = context.record.originalRequest?.url,
            let origin = Origin(url)
        else { return key }
        return .redirected(key, from: origin)
    }

    private func pass(
        for request: TransportRequest,
        _ key: LimitKey.Value,
        _ context: RequestContext
    ) throws -> CircuitState.Pass {
        do {
            let (pass, change) = try breaker.request(key)
            if let change { report(change, key, context) }
            return pass
        } catch {
            throw URLError.make(.resourceUnavailable, url: request.url, reason: error.description, cause: error)
        }
    }

    private func finish(
        _ pass: CircuitState.Pass,
        _ outcome: Result<TransportResponse, any Error>,
        _ key: LimitKey.Value,
        _ context: RequestContext
    ) {
        let change = breaker.finish(pass, breaker.meaning(of: outcome), of: key)
        if let change { report(change, key, context) }
    }

    /// Reports a change of a circuit to the monitors of the request that has caused it.
    private func report(_ change: CircuitState.Change, _ key: LimitKey.Value, _ context: RequestContext) {
        switch change {
        case .opened: context.events?.report(.circuitOpened(key: key.text, for: breaker.openPeriod))
        case .halfOpened(let time): context.events?.report(.circuitHalfOpened(key: key.text, after: time))
        case .closed(let time): context.events?.report(.circuitClosed(key: key.text, after: time))
        }
    }
}
