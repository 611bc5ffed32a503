/// Ends an attempt whose response is read as a stream, and whose head comes too late.
///
/// The transport ends other attempts, whose time includes the body: ``TransportRequest/exchangeTimeout``.
struct AttemptTimeoutStage: RequestStage {
    let timers: TimerQueue

    nonisolated(nonsending) func respond(
        to request: UncheckedRequest,
        context: RequestContext,
        next: RequestHandler
    ) async throws -> TransportResponse {
        guard let limit = context.timeouts?.attempt else { return try await next(request, context) }
        return try await TimeLimit(.attempt, limit, timers).send(request, context, to: next)
    }

    func isNeeded(for request: UncheckedRequest, context: RequestContext) -> Bool {
        context.bodyHandling.isStream && context.timeouts?.attempt != nil
    }
}
