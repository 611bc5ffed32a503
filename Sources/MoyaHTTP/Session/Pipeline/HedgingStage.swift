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
        let inbox = HedgingInbox()
        // The group waits for the losers, so that nothing of the request runs after its end.
        let outcome = await withTaskGroup(of: Void.self) { group in
            var rule = HedgingRule(maximumHedges: hedging.maximumHedges)
            var firstResult: ExchangeResult?
            var isHedged = false
            var timer = hedging.startTimer(after: delay) { inbox.post(.delayEnded) }
            defer {
                hedging.stopTimer(timer)
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
                    if rule.allowsHedge { timer = hedging.startTimer(after: delay) { inbox.post(.delayEnded) } }
                case .ended(let number, let result):
                    if number == 0 { firstResult = result }
                    guard let chosen = rule.exchangeEnded(number, isGood: result.isGood) else { continue }
                    let chosenResult = chosen == number ? result : firstResult ?? result
                    if chosen != 0, case .success(let response)? = firstResult { response.releaseBody() }
                    return (result: chosenResult, number: chosenResult.isGood ? chosen : nil, isHedged: isHedged)
                }
            }
        }
        inbox.close()
        if outcome.isHedged { context.events?.report(.hedgingEnded(winner: outcome.number)) }
        return outcome.result
    }

    /// Passes an exchange on, and posts its result.
    private nonisolated(nonsending) func send(
        _ number: Int,
        _ request: TransportRequest,
        _ context: RequestContext,
        _ next: ExchangeHandler,
        to inbox: HedgingInbox
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

extension TaskGroup<Void> {
    /// Adds a child task, which runs in the thread of the caller until it suspends if the system supports it.
    fileprivate mutating func begin(_ operation: @escaping @Sendable () async -> Void) {
        if #available(macOS 26, iOS 26, watchOS 26, tvOS 26, visionOS 26, *) {
            addImmediateTask(operation: operation)
        } else {
            addTask(operation: operation)
        }
    }
}

/// The events of a hedged request, which any thread posts, and for which one task waits.
private final class HedgingInbox: Sendable {
    enum Event: Sendable {
        /// The delay before the next hedge is over.
        case delayEnded
        /// The exchange with a number has ended.
        case ended(Int, ExchangeResult)

        /// Releases the response, which is not used.
        func release() { if case .ended(_, .success(let response)) = self { response.releaseBody() } }
    }

    private struct State: Sendable {
        var events: [Event] = []
        var waiter: UnsafeContinuation<Void, Never>?
    }

    private let state = InlineLocked(State())

    /// Adds an event.
    func post(_ event: Event) {
        let waiter = state.withLock { state in
            state.events.append(event)
            return state.waiter.take()
        }
        waiter?.resume()
    }

    /// Waits for the next event.
    ///
    /// Cancellation does not end the wait: the exchanges end then, and post their results.
    nonisolated(nonsending) func next() async -> Event {
        while true {
            let event = state.withLock { $0.events.isEmpty ? nil : $0.events.removeFirst() }
            if let event { return event }
            await withUnsafeContinuation { waiter in
                let hasEvent = state.withLock { state in
                    if state.events.isEmpty { state.waiter = waiter }
                    return !state.events.isEmpty
                }
                if hasEvent { waiter.resume() }
            }
        }
    }

    /// Releases the responses that have arrived too late; no exchange runs any more.
    func close() {
        let events = state.withLock { state in
            defer { state.events = [] }
            return state.events
        }
        for event in events { event.release() }
    }
}
