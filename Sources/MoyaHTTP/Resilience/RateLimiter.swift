import Foundation
import HTTPTypes

/// Limits the rate of requests, by rules of the application and of the servers.
///
///     var resilience = Resilience()
///     resilience.rateLimit = RateLimiter(.tokenBucket(100, per: .seconds(1), burst: 20))
///     let session = Session(resilience: resilience)
///
/// Every exchange counts: each attempt of a request, each redirect at its own origin, each answered challenge, and each part of a
/// resumed download. A response from the cache does not count, nor does a resend after a lost connection. A request without permission
/// waits, in order of arrival. It fails at once with ``RateLimitError`` if too many requests wait, or if its permission would come too
/// late: after ``maximumWait``, or after the end of its attempt's time.
///
/// The limiter also obeys the servers: `Retry-After` in responses with the status 403, 429 and 503, and the numbers of requests left
/// in `RateLimit`, `RateLimit-Remaining`, `X-RateLimit-Remaining` and similar fields. All requests of the same key wait then, also those
/// that wait already, but not for longer than a day because of one response. Without limits, `RateLimiter()` does only this.
///
/// Sessions that share a limiter share its limits.
public final class RateLimiter: Sendable {
    /// The limits, each of which must allow a request.
    public let limits: [RateLimit]
    /// The rule by which requests share a limit.
    public let key: LimitKey
    /// The maximum time for which a request waits.
    public let maximumWait: Duration
    /// The maximum number of requests of a key that wait.
    public let maximumWaiting: Int
    /// Whether the limiter obeys the fields of responses.
    public let obeysServer: Bool

    typealias State = RateLimitState<Promise<Outcome>>

    private let clock: LimiterClock
    private let states = Locked(KeyedStates<State>())

    /// Creates a limiter.
    ///
    /// - Parameters:
    ///   - limits: The limits, each of which must allow a request.
    ///   - key: The rule by which requests share a limit.
    ///   - maximumWait: The maximum time for which a request waits.
    ///   - maximumWaiting: The maximum number of requests of a key that wait.
    ///   - obeysServer: Whether the limiter obeys the fields of responses.
    ///   - clock: The clock that measures the periods and the waits.
    public init(
        _ limits: RateLimit...,
        by key: LimitKey = .origin,
        maximumWait: Duration = .seconds(60),
        maximumWaiting: Int = 1_000,
        obeysServer: Bool = true,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.limits = limits
        self.key = key
        self.maximumWait = min(max(maximumWait, .zero), .longestTimeout)
        self.maximumWaiting = min(max(maximumWaiting, 0), 1_000_000)
        self.obeysServer = obeysServer
        self.clock = LimiterClock(clock)
    }

    // MARK: Requests

    /// The end of a wait.
    enum Outcome: Sendable {
        case granted
        case cancelled
        case refused(RateLimitError)
    }

    /// The decision about a request.
    enum Decision: Sendable {
        case granted
        case waits(Wait)
        case refused(RateLimitError)
    }

    /// A request that waits.
    struct Wait: Sendable {
        fileprivate let key: LimitKey.Value
        fileprivate let ticket: Int
        fileprivate let outcome: Promise<Outcome>
        /// The number of requests before it.
        let position: Int
        /// The time until its permission, at least.
        let expected: Duration
    }

    /// Decides about a request, which may wait for `timeLeft` at most.
    func request(_ key: LimitKey.Value, timeLeft: Duration) -> Decision {
        let now = clock.now
        let deadline = now + max(.zero, min(maximumWait, timeLeft))
        let (decision, timer): (Decision, Duration?) = states.withLock { states in
            states.withState(of: key, at: now, creating: { State(limits, at: now) }) { state in
                var outcome: Promise<Outcome>?
                let decision = state.request(
                    at: now,
                    deadline: deadline,
                    maximumWaiting: maximumWaiting,
                    waiter: {
                        let promise = Promise<Outcome>()
                        outcome = promise
                        return promise
                    }()
                )
                switch decision {
                case .granted:
                    return (.granted, nil)
                case .waits(let ticket, let position, let until):
                    let wait = Wait(
                        key: key,
                        ticket: ticket,
                        outcome: outcome ?? Promise(),
                        position: position,
                        expected: until - now
                    )
                    return (.waits(wait), position == 0 ? state.startTimer(at: until) : nil)
                case .queueFull(let until):
                    return (.refused(error(.queueFull(maximum: maximumWaiting), key, state, until: until, now)), nil)
                case .tooLate(let until):
                    let reason = RateLimitError.Reason.longWait(until - now, allowed: deadline - now)
                    return (.refused(error(reason, key, state, until: until, now)), nil)
                }
            }
        }
        if let timer { startTimer(key, at: timer) }
        return decision
    }

    /// Waits for the permission of a request; the wait ends when the task is cancelled.
    ///
    /// After `granted`, a caller that does not send the request must call ``giveBack(_:)``.
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

    /// Takes back the permission of a request that is not sent.
    func giveBack(_ key: LimitKey.Value) { changeState(of: key) { state, _ in state.giveBack() } }

    /// Handles the end of a request without a response.
    func requestFailed(_ key: LimitKey.Value) {
        changeState(of: key) { state, now in state.requestEnded(isThrottled: false, at: now) }
    }

    /// The time of the limiter's clock.
    var now: Duration { clock.now }

    /// Handles the head of a response to a request that was sent at the time `sent`.
    ///
    /// - Returns: The time for which the server wants no further request, if the response has begun it.
    func receivedResponse(_ response: TransportResponse, to key: LimitKey.Value, sent: Duration) -> Duration? {
        let status = response.status
        // Almost all responses have none of the fields, and their headers stay unread.
        let hasFields = obeysServer && response.fields.contains([.rateLimit, .retryAfter])
        let fields = hasFields ? RateLimitFields(response.headers, status: status, now: Date()) : nil
        let isThrottled = status == 429 || status == 503 || status == 403 && response.fields.contains(.retryAfter)
        return changeState(of: key) { state, now in
            // The request is not one of those whose responses are missing.
            state.requestEnded(isThrottled: isThrottled, at: now)
            return fields.flatMap { state.apply($0, sent: sent, at: now) }.map { $0 - now }
        } ?? nil
    }

    // MARK: State

    /// The number of requests that wait, and the number of those that were sent and have no response yet.
    var counts: (waiting: Int, running: Int) {
        states.withLock { states in
            (states.states.reduce(0) { $0 + $1.waiting }, states.states.reduce(0) { $0 + $1.running })
        }
    }

    /// The times of the timers that run.
    var timers: [Duration] { states.withLock { $0.states.compactMap(\.timer) } }

    /// Changes a state, and ends the waits that are over then.
    @discardableResult
    private func changeState<Result: Sendable>(
        of key: LimitKey.Value,
        _ change: (inout State, Duration) -> Result
    ) -> Result? {
        let now = clock.now
        let ended = states.withLock { states in
            states.withExistingState(of: key) { state in
                let result = change(&state, now)
                let step = state.advance(to: now)
                let errors = step.refused.map { refused in
                    let reason = RateLimitError.Reason.longWait(refused.until - now, allowed: refused.deadline - now)
                    return error(reason, key, state, until: refused.until, now)
                }
                return (result: result, step: step, errors: errors)
            }
        }
        // The state was there, because a state with requests is not forgotten; a timer may be late.
        guard let (result, step, errors) = ended else { return nil }
        for promise in step.granted { promise.fulfill(.granted) }
        for (refused, error) in zip(step.refused, errors) { refused.waiter.fulfill(.refused(error)) }
        if let timer = step.timer { startTimer(key, at: timer) }
        return result
    }

    private func startTimer(_ key: LimitKey.Value, at time: Duration) {
        clock.schedule(at: time) { [weak self] in self?.changeState(of: key) { state, _ in state.timerFired(time) } }
    }

    private func error(
        _ reason: RateLimitError.Reason,
        _ key: LimitKey.Value,
        _ state: State,
        until: Duration,
        _ now: Duration
    ) -> RateLimitError {
        RateLimitError(
            reason: reason,
            key: key.text,
            limits: limits,
            isServerLimit: limits.isEmpty || state.isPausedByServer(at: now),
            waiting: state.waiting,
            until: Date() + (until - now).inSeconds
        )
    }
}
