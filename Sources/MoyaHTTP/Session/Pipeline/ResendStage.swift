import Foundation

/// Sends a request again if it was lost with a connection that had been used before, or if the server has not processed it.
///
/// Monitors see a resend. Interceptors do not, because it is not a retry.
struct ResendStage: ExchangeStage {
    let clock: any Clock<Duration>

    nonisolated(nonsending) func respond(
        to request: TransportRequest,
        context: RequestContext,
        next: ExchangeHandler
    ) async throws -> TransportResponse {
        do {
            return try await next(request, context)
        } catch {
            return try await resend(request, after: error, context, next)
        }
    }

    /// Sends a request again, as often as the ``ResendRule`` allows it.
    @inline(never)
    private nonisolated(nonsending) func resend(
        _ request: TransportRequest,
        after error: any Error,
        _ context: RequestContext,
        _ next: ExchangeHandler
    ) async throws -> TransportResponse {
        var (request, error) = (request, error)
        var rule = ResendRule(for: request, usesIdempotencyKeys: context.usesIdempotencyKeys)
        // The time before the first failure does not count: the wait for a connection has other limits.
        let firstFailure = ContinuousClock.now
        while true {
            guard let (reason, delay) = rule.decide(error, elapsed: .now - firstFailure) else { throw error }
            await context.sleep(for: delay, on: clock)
            // The request of a validation in the background may be cancelled, while the task of the validation goes on.
            guard !Task.isCancelled, !context.isOverdue else { throw URLError.cancelled(url: request.url) }
            guard context.attemptScope.timeLeft(of: request.exchangeTimeout) > .zero else {
                let timeout = RequestTimeoutError(kind: .attempt, limit: request.attemptTimeout)
                throw URLError.timedOut(timeout, url: request.url)
            }
            if reason == .connectionLost { context.record.recordPossibleArrival() }
            request.isResent = true
            request.age = .now - context.requestStart
            context.events?.report(.resending(because: reason))
            do {
                return try await next(request, context)
            } catch let failure {
                error = failure
            }
        }
    }
}
