import Foundation

/// Sends a request again if it was lost with an idle connection, or if the server has not processed it.
///
/// Monitors see a resend. Interceptors do not, because it is not a retry.
struct ResendStage: ExchangeStage {
    let clock: any Clock<Duration>

    nonisolated(nonsending) func respond(
        to request: TransportRequest,
        context: RequestContext,
        next: ExchangeHandler
    ) async throws -> TransportResponse {
        var request = request
        // Created with the first failure, since few requests fail.
        var rule: ResendRule?
        var firstFailure: ContinuousClock.Instant?
        while true {
            do {
                return try await next(request, context)
            } catch {
                if rule == nil {
                    let keys = context.session.policies.resilience.idempotencyKeys
                    rule = ResendRule(for: request, usesIdempotencyKeys: keys != nil)
                }
                // The time before the first failure does not count: the wait for a connection has other limits.
                let since = firstFailure ?? .now
                firstFailure = since
                guard let (reason, delay) = rule?.decide(error, elapsed: .now - since) else { throw error }
                // A clock throws only when the task is cancelled.
                if delay > .zero { try? await clock.sleep(for: delay) }
                // The request of a validation in the background may be cancelled, while the task of the validation goes on.
                guard !Task.isCancelled else { throw URLError.cancelled(url: request.url) }
                guard context.attemptScope.timeLeft(of: request.totalTimeout) > .zero else {
                    throw URLError.timedOut(.tookTooLong, url: request.url)
                }
                request.isResent = true
                request.age = .now - context.requestStart
                context.events?.report(.resending(because: reason))
            }
        }
    }
}
