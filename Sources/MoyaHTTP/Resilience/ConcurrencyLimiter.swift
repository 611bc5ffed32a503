import Foundation

/// Limits the number of requests that run at the same time.
///
///     var resilience = Resilience()
///     resilience.concurrencyLimit = ConcurrencyLimiter(.fixed(10))
///     let session = Session(resilience: resilience)
///
/// A request has a permit from its beginning to its end, with all attempts, redirects and delays: until its response has been read, or,
/// if the caller reads the response as a stream, until the end or the release of its body. An upgrade to another protocol, such as that
/// of a WebSocket, gives the permit back when the server agrees. A request without a permit waits behind those
/// of a higher ``RequestPriority`` and of the same one, in order of arrival. It fails with ``ConcurrencyLimitError`` at once if too many
/// requests wait, and after ``maximumWait`` otherwise. The time of waiting is not part of the request's timeouts.
///
/// Sessions that share a limiter share its permits. A request that another request with a permit waits for, such as one of an
/// interceptor that refreshes a token, must use another session or have no key, because both could wait for each other.
public final class ConcurrencyLimiter: Sendable {
    /// The limit of each key.
    public let limit: ConcurrencyLimit
    /// The rule by which requests share a limit.
    public let key: LimitKey
    /// The maximum time for which a request waits.
    public let maximumWait: Duration
    /// The maximum number of requests of a key that wait.
    public let maximumWaiting: Int

    typealias State = ConcurrencyState<Promise<Outcome>>

    private let clock: LimiterClock
    private let states = Locked(KeyedStates<State>())

    /// Creates a limiter.
    ///
    /// - Parameters:
    ///   - limit: The limit of each key.
    ///   - key: The rule by which requests share a limit.
    ///   - maximumWait: The maximum time for which a request waits.
    ///   - maximumWaiting: The maximum number of requests of a key that wait.
    ///   - clock: The clock that measures the waits.
    public init(
        _ limit: ConcurrencyLimit,
        by key: LimitKey = .origin,
        maximumWait: Duration = .seconds(60),
        maximumWaiting: Int = 1_000,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.limit = limit
        self.key = key
        self.maximumWait = min(max(maximumWait, .zero), .longestTimeout)
        self.maximumWaiting = max(maximumWaiting, 0)
        self.clock = LimiterClock(clock)
    }

    // MARK: Requests

    /// The end of a wait.
    enum Outcome: Sendable {
        case granted(ConcurrencyPermit)
        case cancelled
        case refused(ConcurrencyLimitError)
    }

    /// The decision about a request.
    enum Decision: Sendable {
        case granted(ConcurrencyPermit)
        case waits(Wait)
        case refused(ConcurrencyLimitError)
    }

    /// A request that waits.
    struct Wait: Sendable {
        fileprivate let key: LimitKey.Value
        fileprivate let ticket: State.Ticket
        fileprivate let outcome: Promise<Outcome>
        /// The number of requests before it.
        let position: Int
    }

    /// Decides about a request of the current task.
    func request(_ key: LimitKey.Value) -> Decision {
        let now = clock.now
        let (decision, timer): (Decision, Duration?) = states.withLock { states in
            states.withState(of: key, at: now, creating: { State(limit) }) { state in
                var outcome: Promise<Outcome>?
                let decision = state.request(
                    at: now,
                    maximumWait: maximumWait,
                    maximumWaiting: maximumWaiting,
                    priority: RequestPriority.current,
                    waiter: {
                        let promise = Promise<Outcome>()
                        outcome = promise
                        return promise
                    }()
                )
                switch decision {
                case .granted(let permit):
                    return (.granted(permit), nil)
                case .waits(let ticket, let position):
                    let wait = Wait(key: key, ticket: ticket, outcome: outcome ?? Promise(), position: position)
                    return (.waits(wait), state.startTimer())
                case .queueFull:
                    return (.refused(error(.queueFull(maximum: maximumWaiting), key, state)), nil)
                }
            }
        }
        if let timer { startTimer(key, at: timer) }
        return decision
    }

    /// Waits for the permit of a request; the wait ends when the task is cancelled.
    nonisolated(nonsending) func outcome(of wait: Wait) async -> Outcome {
        await withTaskCancellationHandler {
            await wait.outcome.wait()
        } onCancel: {
            let promise = states.withLock { states in
                states.withExistingState(of: wait.key) { $0.cancel(wait.ticket) } ?? nil
            }
            // If the wait is over, its outcome is set already, or will be soon.
            promise?.fulfill(.cancelled)
        }
    }

    /// Returns the meaning of a status for an adaptive limit, at the time of the response's head.
    func outcome(ofStatus status: Int, _ permit: ConcurrencyPermit) -> AdaptiveLimit.Outcome {
        if [429, 503, 504].contains(status) { return .overload }
        guard let latency = limit.latency else { return .success }
        return clock.now - permit.start > latency ? .overload : .success
    }

    /// Takes back the permit of a request that has ended.
    func release(_ permit: ConcurrencyPermit, _ outcome: AdaptiveLimit.Outcome, of key: LimitKey.Value) {
        changeState(of: key) { $0.release(permit, outcome) }
    }

    // MARK: State

    /// The number of permits in use, and the number of requests that wait.
    var counts: (used: Int, waiting: Int) {
        states.withLock { states in
            (states.states.reduce(0) { $0 + $1.used }, states.states.reduce(0) { $0 + $1.waiting })
        }
    }

    /// The times of the timers that run.
    var timers: [Duration] { states.withLock { $0.states.compactMap(\.timer) } }

    /// The number of permits of a key.
    func permits(of key: LimitKey.Value) -> Int {
        states.withLock { $0.withExistingState(of: key) { $0.permits } } ?? limit.initial
    }

    /// Changes a state, and ends the waits that are over then.
    private func changeState(of key: LimitKey.Value, _ change: (inout State) -> Void) {
        let now = clock.now
        let ended = states.withLock { states in
            states.withExistingState(of: key) { state in
                change(&state)
                let step = state.advance(to: now)
                let error = step.expired.isEmpty ? nil : error(.longWait(maximumWait), key, state)
                return (step: step, error: error)
            }
        }
        // The state was there, because a state with requests is not forgotten; a timer may be late.
        guard let (step, error) = ended else { return }
        for (promise, permit) in step.granted { promise.fulfill(.granted(permit)) }
        if let error { for promise in step.expired { promise.fulfill(.refused(error)) } }
        if let timer = step.timer { startTimer(key, at: timer) }
    }

    private func startTimer(_ key: LimitKey.Value, at time: Duration) {
        clock.schedule(at: time) { [weak self] in self?.changeState(of: key) { $0.timerFired(time) } }
    }

    private func error(
        _ reason: ConcurrencyLimitError.Reason,
        _ key: LimitKey.Value,
        _ state: State
    ) -> ConcurrencyLimitError {
        ConcurrencyLimitError(reason: reason, key: key.text, permits: state.permits, waiting: state.waiting)
    }
}
