import Foundation

/// Sends a slow exchange again while it runs, and returns the response that arrives first.
///
/// All exchanges run in child tasks, also the first one: it is the usual loser, and cancelling a task is the only way to cancel an
/// exchange in any transport. A child task begins in the caller's thread, without a change of threads where the system supports it.
/// It has the task-local values, the priority and the executor of the caller. The delay needs no task.
struct HedgingStage: ExchangeStage {
    let hedging: Hedging

    nonisolated(nonsending) func respond(
        to request: TransportRequest,
        context: RequestContext,
        next: ExchangeHandler
    ) async throws -> TransportResponse {
        guard let hedgeable = hedging.begin(request) else { return try await next(request, context) }
        guard let delay = hedgeable.delay else { return try await measure(hedgeable, request, context, next) }
        let result = await race(hedgeable, after: delay, request, context, next)
        hedging.end(hedgeable, isGood: result.isGood)
        return try result.get()
    }

    /// Passes an exchange on, and records its latency, as long as the delay is not known.
    @inline(never)
    private nonisolated(nonsending) func measure(
        _ hedgeable: Hedging.HedgeableRequest,
        _ request: TransportRequest,
        _ context: RequestContext,
        _ next: ExchangeHandler
    ) async throws -> TransportResponse {
        let response = try await next(request, context)
        hedging.end(hedgeable, isGood: HedgingRule.isGood(status: response.status))
        return response
    }

    /// Passes an exchange on, and again after each delay, as the ``HedgingRule`` decides.
    @inline(never)
    private nonisolated(nonsending) func race(
        _ hedgeable: Hedging.HedgeableRequest,
        after delay: Duration,
        _ request: TransportRequest,
        _ context: RequestContext,
        _ next: ExchangeHandler
    ) async -> ExchangeResult {
        let inbox = TaskInbox<HedgingEvent>()
        // The group waits for the losers, so that nothing of the request runs after its end.
        let outcome = await withTaskGroup(of: Void.self) { group in
            var rule = HedgingRule(maximumHedges: hedging.maximumHedges)
            var firstResult: ExchangeResult?
            var isHedged = false
            var timer = hedging.timers.start(after: delay) { inbox.post(.delayEnded) }
            defer {
                hedging.timers.stop(timer)
                group.cancelAll()
            }
            group.begin { await send(0, request, context, next, to: inbox) }
            while true {
                switch await inbox.next() {
                case .delayEnded:
                    // The cancellation has reached the running exchanges, which end.
                    guard !context.isEnding,
                        let number = rule.delayEnded(isAllowed: hedging.budget.withdrawForHedge())
                    else { continue }
                    isHedged = true
                    context.record.recordPossibleArrival()
                    let hedge = context.forHedge(number)
                    hedge.events?.report(.hedging(after: hedging.elapsed(of: hedgeable)))
                    group.begin { await send(number, request, hedge, next, to: inbox) }
                    if rule.allowsHedge { timer = hedging.timers.start(after: delay) { inbox.post(.delayEnded) } }
                case .ended(let number, let result):
                    if number == 0 { firstResult = result }
                    guard let chosen = rule.exchangeEnded(number, isGood: result.isGood) else { continue }
                    let chosenResult = chosen == number ? result : firstResult ?? result
                    if chosen != 0, case .success(let response)? = firstResult { response.releaseBody() }
                    return (result: chosenResult, number: chosenResult.isGood ? chosen : nil, isHedged: isHedged)
                }
            }
        }
        // The responses that have arrived too late; no exchange runs any more.
        for event in inbox.takeAll() { event.release() }
        if outcome.isHedged { context.events?.report(.hedgingEnded(winner: outcome.number)) }
        return outcome.result
    }

    /// Passes an exchange on, and posts its result.
    private nonisolated(nonsending) func send(
        _ number: Int,
        _ request: TransportRequest,
        _ context: RequestContext,
        _ next: ExchangeHandler,
        to inbox: TaskInbox<HedgingEvent>
    ) async {
        var result: ExchangeResult
        do {
            result = .success(try await next(request, context))
        } catch {
            result = .failure(error)
        }
        // Only the first exchange's failure can be returned.
        if number > 0, case .success(var response) = result, !result.isGood {
            await response.dropBody()
            result = .success(response)
        }
        inbox.post(.ended(number, result))
    }
}

/// The result of an exchange.
private typealias ExchangeResult = Result<TransportResponse, any Error>

extension ExchangeResult {
    /// Whether the result wins against other exchanges.
    fileprivate var isGood: Bool {
        guard case .success(let response) = self else { return false }
        return HedgingRule.isGood(status: response.status)
    }
}

extension TransportResponse {
    /// Releases a body that is not read, which closes its connection or resets its stream.
    fileprivate func releaseBody() { if case .stream(let stream) = body { stream.release() } }
}

/// An event of a hedged request.
private enum HedgingEvent: Sendable {
    /// The delay before the next hedge is over.
    case delayEnded
    /// The exchange with a number has ended.
    case ended(Int, ExchangeResult)

    /// Releases the response, which is not used.
    func release() { if case .ended(_, .success(let response)) = self { response.releaseBody() } }
}
