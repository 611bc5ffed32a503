/// The rule of a ``RetryBudget``, with its balance.
enum RetryBudgetRule: Equatable, Sendable {
    /// Retries are a share of the requests.
    case share(RetryBudgetState)
    /// Retries take from a quota, which successful requests fill again.
    case quota(RetryQuota)
    /// There are no retries while too many of the latest attempts have failed.
    case throttling(RetryThrottling)

    /// Counts a request that may be hedged, unless a policy counts the requests.
    mutating func countHedgeableRequest() {
        switch self {
        case .share(var state):
            state.countHedgeableRequest()
            self = .share(state)
        case .quota(var quota):
            quota.countHedgeableRequest()
            self = .quota(quota)
        case .throttling: break
        }
    }

    /// Takes the cost of a hedge, and returns whether the hedge may be sent.
    mutating func takeHedge(now: Duration) -> Bool {
        switch self {
        case .share(var state):
            defer { self = .share(state) }
            return state.takeToken(now: now)
        case .quota(var quota):
            defer { self = .quota(quota) }
            return quota.takeHedge()
        case .throttling(let throttling):
            // A hedge is not a failure, and takes no token (A6, "Throttling Retry Attempts and Hedged RPCs").
            return throttling.isOpen
        }
    }

    /// Counts the end of an attempt, and decides whether the request may be retried: false if no retry is wanted.
    ///
    /// - Parameters:
    ///   - end: The end of the attempt.
    ///   - account: The entries of the request, which were changed by the ends of its earlier attempts.
    ///   - now: The time since the budget was created.
    /// - Returns: Whether the request may be retried.
    mutating func decideRetry(after end: AttemptEnd, _ account: inout RetryAccount, now: Duration) -> Bool {
        // The payload is changed in a copy, because an enumeration cannot be changed in place.
        switch self {
        case .share(var state):
            defer { self = .share(state) }
            if end.isFirst, !end.isBodyFailure { state.countFirstAttempt() }
            guard case .failure(_, wantsRetry: true) = end.outcome else { return false }
            return state.takeToken(now: now)
        case .quota(var quota):
            defer { self = .quota(quota) }
            return quota.decideRetry(after: end, &account)
        case .throttling(var throttling):
            defer { self = .throttling(throttling) }
            return throttling.decideRetry(after: end, &account)
        }
    }
}
