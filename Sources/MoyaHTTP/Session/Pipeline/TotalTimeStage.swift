import Foundation

/// Ends a request that exceeds its total time, with all attempts and delays, up to its result or the head of its stream.
///
/// Where the ``DeadlineRule`` applies, the stages below and the transport end their waits at a deadline. Otherwise they run in a
/// task, which is cancelled: ``TimeLimit``.
struct TotalTimeStage: RequestStage {
    let timers: TimerQueue
    /// Whether a ``FallbackStage`` may pass a request on several times, which share the time.
    var hasFallbacks = false
    /// Decides whether a deadline is enough; `nil` if it never is.
    var deadlineRule: DeadlineRule?

    nonisolated(nonsending) func respond(
        to request: UncheckedRequest,
        context: RequestContext,
        next: RequestHandler
    ) async throws -> TransportResponse {
        guard let limit = context.timeouts?.total else { return try await next(request, context) }
        guard hasFallbacks else {
            return try await send(request, context, within: TimeLimit(.total, limit, timers), to: next)
        }
        let start = timers.now
        defer { context.record.recordUsedTotalTime(timers.now - start) }
        let rest = TimeLimit(.total, limit, after: context.record.usedTotalTime, timers)
        return try await send(request, context, within: rest, to: next)
    }

    private nonisolated(nonsending) func send(
        _ request: UncheckedRequest,
        _ context: RequestContext,
        within limit: TimeLimit,
        to next: RequestHandler
    ) async throws -> TransportResponse {
        var timed = context
        guard let deadlineRule, deadlineRule.applies(to: request, context) else {
            timed.totalTimeEnd = context.elapsed + limit.left
            return try await limit.send(request, timed, to: next)
        }
        let deadline = limit.deadline
        timed.deadline = deadline
        do {
            guard !deadline.isOver else { throw URLError.cancelled(url: request.urlRequest.url) }
            return try await next(request, timed)
        } catch {
            // The stages below treat the end of the time as a cancellation of the request.
            guard deadline.isOver, !context.isEnding else { throw error }
            throw URLError.timedOut(deadline.timeout, url: request.urlRequest.url)
        }
    }

    func isNeeded(for request: UncheckedRequest, context: RequestContext) -> Bool { context.timeouts?.total != nil }
}
