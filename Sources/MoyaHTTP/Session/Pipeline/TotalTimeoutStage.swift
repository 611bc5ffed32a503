/// Ends a request that exceeds its total timeout, with all attempts and delays.
struct TotalTimeoutStage: RequestStage {
    let clock: any Clock<Duration>
    /// Whether a ``FallbackStage`` may pass a request on several times, which share the time.
    var hasFallbacks = false

    nonisolated(nonsending) func respond(
        to request: UncheckedRequest,
        context: RequestContext,
        next: RequestHandler
    ) async throws -> TransportResponse {
        guard let limit = context.timeouts?.total else { return try await next(request, context) }
        guard hasFallbacks else { return try await TimeLimit(.total, limit, clock).send(request, context, to: next) }
        let watch = LimiterClock(clock)
        defer { context.record.recordTime(watch.now) }
        return try await TimeLimit(.total, limit, after: context.record.recordedTime, clock)
            .send(request, context, to: next)
    }

    func isNeeded(for request: UncheckedRequest, context: RequestContext) -> Bool { context.timeouts?.total != nil }
}
