/// The rate of a group of requests: the rules of the application, the rules that the server has told, and the requests that wait.
///
/// It is a value without a clock: each function gets the time since the creation of the limiter. Requests get their permission in the
/// order in which they have begun to wait.
struct RateLimitState<Waiter: Sendable>: ForgettableState {
    /// The decision about a request.
    enum Decision {
        /// The request may be sent now.
        case granted
        /// The request waits behind `position` others, until a time at least.
        case waits(WaitingQueue<Waiting>.Ticket, position: Int, until: Duration)
        /// As many requests wait as may wait.
        case queueFull(until: Duration)
        /// The request would have to wait until a time that is too late.
        case tooLate(until: Duration)
    }

    /// A request that waits.
    struct Waiting: Sendable {
        let waiter: Waiter
        /// The latest time at which it may be sent.
        let deadline: Duration
    }

    /// A request that cannot be sent by its deadline, but at another time.
    struct Refused: Sendable {
        let waiter: Waiter
        let deadline: Duration
        let until: Duration
    }

    /// The requests whose wait is over, and the time at which the state must be advanced again.
    struct Step: Sendable {
        var granted: [Waiter] = []
        var refused: [Refused] = []
        /// `nil` if nothing is to be done, or if the owner has been told the time before.
        var timer: Duration?
    }

    private var rules: RateRules
    private var quota: ServerQuota?
    /// The time at which the latest response arrived that was not late; it has described the quota.
    private var quotaTime = Duration.zero
    /// The time before which the server wants no request.
    private var pausedUntil = Duration.zero
    private var queue = WaitingQueue<Waiting>()
    /// The requests that were sent, and have no response yet.
    private(set) var running = 0
    /// The time at which the owner advances the state.
    private(set) var timer: Duration?
    /// Whether requests that wait may have to wait for longer than was expected.
    private var hasNewDelay = false

    /// Creates the state of a group without requests.
    init(_ limits: [RateLimit], at now: Duration = .zero) { rules = RateRules(limits, at: now) }

    /// The number of requests that wait.
    var waiting: Int { queue.count }

    var isIdle: Bool { queue.isEmpty && running == 0 }

    func isUnused(at now: Duration) -> Bool {
        isIdle && pausedUntil <= now && (quota.map { $0.reset <= now } ?? true) && rules.isUnused(at: now)
    }

    /// Returns whether the server wants no request now.
    func isPausedByServer(at now: Duration) -> Bool { blockedUntil > now }

    // MARK: Requests

    /// Decides about a request.
    ///
    /// - Parameters:
    ///   - now: The time.
    ///   - deadline: The latest time at which the request may be sent.
    ///   - maximumWaiting: The number of requests that may wait.
    ///   - waiter: The value that represents the request if it waits.
    /// - Returns: The decision.
    mutating func request(
        at now: Duration,
        deadline: Duration,
        maximumWaiting: Int,
        waiter: @autoclosure () -> Waiter
    ) -> Decision {
        if queue.isEmpty, take(at: now) { return .granted }
        let position = queue.count
        let until = earliest(after: position, at: now)
        // A request that may not wait at all fails because of the time, whatever the queue.
        if until > deadline { return .tooLate(until: until) }
        if position >= maximumWaiting { return .queueFull(until: until) }
        let ticket = queue.append(Waiting(waiter: waiter(), deadline: deadline))
        return .waits(ticket, position: position, until: until)
    }

    /// Removes a request that waits, and returns its value; `nil` if its wait is over.
    mutating func cancel(_ ticket: WaitingQueue<Waiting>.Ticket) -> Waiter? { queue.remove(ticket)?.waiter }

    /// Takes back the permission of a request that is not sent.
    mutating func giveBack() {
        running -= 1
        rules.giveBack()
        quota?.giveBack()
    }

    /// Handles the end of a request, with or without a response.
    ///
    /// `isThrottled` is whether the server has responded that it limits requests.
    mutating func requestEnded(isThrottled: Bool, at now: Duration) {
        running -= 1
        if rules.requestEnded(isThrottled: isThrottled, at: now) { hasNewDelay = true }
    }

    /// Applies the fields of a response to a request that was sent at the time `sent`.
    ///
    /// - Returns: The time before which no request may be sent, if the response has set it.
    mutating func apply(_ fields: RateLimitFields, sent: Duration, at now: Duration) -> Duration? {
        let before = blockedUntil
        if let retryAfter = fields.retryAfter {
            pausedUntil = max(pausedUntil, now + min(retryAfter, ServerQuota.longestPause))
        }
        if let other = fields.quota.flatMap({ ServerQuota($0, at: now, running: running) }) {
            let isKnown = quota?.advance(to: now, running: running) ?? false
            let isLate = isKnown && sent <= quotaTime
            if isKnown { quota?.update(by: other, isLate: isLate) } else { quota = other }
            if !isLate { quotaTime = now }
        }
        let after = blockedUntil
        if after > before || (quota.map { $0.remaining < queue.count } ?? false) { hasNewDelay = true }
        return after > max(before, now) ? after : nil
    }

    // MARK: Time

    /// Handles the owner's timer.
    mutating func timerFired(_ time: Duration) { if timer == time { timer = nil } }

    /// Ends the waits that are over.
    ///
    /// The owner calls it after a timer, and after each event after which requests may be sent earlier or must be sent later.
    mutating func advance(to now: Duration) -> Step {
        var step = Step()
        guard !queue.isEmpty else { return step }
        while !queue.isEmpty, take(at: now) { if let first = queue.popFirst() { step.granted.append(first.waiter) } }
        if hasNewDelay || rules.hasSeveralLimits { step.refused = removeLate(at: now) }
        hasNewDelay = false
        if !queue.isEmpty { step.timer = startTimer(at: earliest(after: 0, at: now)) }
        return step
    }

    /// The same rules without the requests, whose queue would be copied when it changes.
    private var withoutQueue: RateLimitState {
        var state = self
        state.queue = WaitingQueue()
        return state
    }

    /// Removes the requests that cannot be sent by their deadlines.
    private mutating func removeLate(at now: Duration) -> [Refused] {
        var refused: [Refused] = []
        let state = withoutQueue
        queue.removeAll { waiting, before in
            let until = state.earliest(after: before, at: now)
            guard until > waiting.deadline else { return false }
            refused.append(Refused(waiter: waiting.waiter, deadline: waiting.deadline, until: until))
            return true
        }
        return refused
    }

    /// Returns the time for a timer that the owner must start; `nil` if one will fire earlier.
    mutating func startTimer(at time: Duration) -> Duration? {
        if let timer, timer <= time { return nil }
        timer = time
        return time
    }

    // MARK: Rules

    private var blockedUntil: Duration {
        guard let quota, quota.remaining <= 0 else { return pausedUntil }
        return max(pausedUntil, quota.reset)
    }

    /// Counts a request if all rules allow it, and returns whether they do.
    private mutating func take(at now: Duration) -> Bool {
        guard now >= pausedUntil else { return false }
        if quota != nil {
            if quota?.advance(to: now, running: running) == false { quota = nil }
            if let quota, quota.remaining <= 0 { return false }
        }
        guard rules.take(at: now) else { return false }
        quota?.take()
        running += 1
        return true
    }

    /// Returns the earliest time at which a request may be sent if others are sent before it.
    private func earliest(after others: Int, at now: Duration) -> Duration {
        let start = max(now, pausedUntil)
        return rules.time(after: others, from: quota?.time(after: others, from: start) ?? start)
    }
}
