/// A permit of a concurrency limit, which its request gives back when it ends.
struct ConcurrencyPermit: Equatable, Sendable {
    /// The time at which the request has got it.
    let start: Duration
    /// The generation of the ``AdaptiveLimit`` at that time.
    let generation: Int
}

/// The permits of a group of requests, and the requests that wait for one.
///
/// It is a value without a clock: each function gets the time since the creation of the limiter.
struct ConcurrencyState<Waiter: Sendable>: ForgettableState {
    /// The decision about a request.
    enum Decision {
        case granted(ConcurrencyPermit)
        /// The request waits behind `position` others.
        case waits(Ticket, position: Int)
        /// As many requests wait as may wait.
        case queueFull
    }

    /// The place of a request that waits.
    struct Ticket: Equatable, Sendable {
        fileprivate let priority: RequestPriority
        fileprivate let ticket: WaitingQueue<Waiting>.Ticket
    }

    /// The requests whose wait is over, and the time at which the state must be advanced again.
    struct Step: Sendable {
        var granted: [(waiter: Waiter, permit: ConcurrencyPermit)] = []
        /// The requests that have waited for the maximum time.
        var expired: [Waiter] = []
        /// `nil` if nothing is to be done, or if the owner has been told the time before.
        var timer: Duration?
    }

    fileprivate struct Waiting: Sendable {
        let waiter: Waiter
        let deadline: Duration
    }

    private var limit: AdaptiveLimit
    /// The number of permits that requests have.
    private(set) var used = 0
    // One property for each priority, because a subscript of an array costs more.
    private var high = WaitingQueue<Waiting>()
    private var normal = WaitingQueue<Waiting>()
    private var low = WaitingQueue<Waiting>()
    /// The time at which the owner advances the state.
    private(set) var timer: Duration?

    /// Creates a state whose permits are all free.
    init(_ limit: ConcurrencyLimit) { self.limit = AdaptiveLimit(limit) }

    /// The number of permits.
    var permits: Int { limit.current }

    /// The number of requests that wait.
    var waiting: Int { high.count + normal.count + low.count }

    var isIdle: Bool { used == 0 && waiting == 0 }

    func isUnused(at now: Duration) -> Bool { isIdle }

    // MARK: Requests

    /// Decides about a request.
    ///
    /// - Parameters:
    ///   - now: The time.
    ///   - maximumWait: The time for which the request may wait, the same for all requests.
    ///   - maximumWaiting: The number of requests that may wait.
    ///   - priority: The priority of the request if it waits.
    ///   - waiter: The value that represents the request if it waits.
    /// - Returns: The decision.
    mutating func request(
        at now: Duration,
        maximumWait: Duration,
        maximumWaiting: Int,
        priority: @autoclosure () -> RequestPriority,
        waiter: @autoclosure () -> Waiter
    ) -> Decision {
        if waiting == 0, used < permits { return .granted(take(at: now)) }
        guard waiting < maximumWaiting else { return .queueFull }
        let priority = priority()
        let position = high.count + (priority < .high ? normal.count : 0) + (priority < .normal ? low.count : 0)
        let entry = Waiting(waiter: waiter(), deadline: now + maximumWait)
        let ticket = withQueue(of: priority) { $0.append(entry) }
        return .waits(Ticket(priority: priority, ticket: ticket), position: position)
    }

    /// Removes a request that waits, and returns its value; `nil` if its wait is over.
    mutating func cancel(_ ticket: Ticket) -> Waiter? {
        withQueue(of: ticket.priority) { $0.remove(ticket.ticket) }?.waiter
    }

    /// Takes back the permit of a request that has ended.
    mutating func release(_ permit: ConcurrencyPermit, _ outcome: AdaptiveLimit.Outcome) {
        limit.record(outcome, generation: permit.generation, used: used)
        used -= 1
    }

    // MARK: Time

    /// Handles the owner's timer.
    mutating func timerFired(_ time: Duration) { if timer == time { timer = nil } }

    /// Ends the waits that are over.
    ///
    /// The owner calls it after a timer, and after each release.
    mutating func advance(to now: Duration) -> Step {
        var step = Step()
        guard waiting > 0 else { return step }
        while used < permits, let next = popFirst() { step.granted.append((next.waiter, take(at: now))) }
        for priority in RequestPriority.allCases {
            withQueue(of: priority) { queue in
                while let head = queue.head, head.deadline <= now {
                    _ = queue.popFirst()
                    step.expired.append(head.waiter)
                }
            }
        }
        step.timer = startTimer()
        return step
    }

    /// Returns the time for a timer that the owner must start; `nil` if one will fire earlier, or if no request waits.
    mutating func startTimer() -> Duration? {
        let deadlines = [high.head, normal.head, low.head].compactMap { $0?.deadline }
        guard let next = deadlines.min() else { return nil }
        if let timer, timer <= next { return nil }
        timer = next
        return next
    }

    // MARK: Permits and queues

    private mutating func take(at now: Duration) -> ConcurrencyPermit {
        used += 1
        return ConcurrencyPermit(start: now, generation: limit.generation)
    }

    private mutating func popFirst() -> Waiting? { high.popFirst() ?? normal.popFirst() ?? low.popFirst() }

    private mutating func withQueue<Result>(
        of priority: RequestPriority,
        _ body: (inout WaitingQueue<Waiting>) -> Result
    ) -> Result {
        switch priority {
        case .high: body(&high)
        case .normal: body(&normal)
        case .low: body(&low)
        }
    }
}
