/// The limits of an application on the rate of a group of requests; a request needs the permission of each.
// Arrays of all kinds, because changing a value in an enumeration would copy the times of a window.
struct RateRules: Equatable, Sendable {
    private var buckets: [TokenBucket] = []
    private var windows: [SlidingWindow] = []
    private var adaptiveRates: [AdaptiveRate] = []

    /// Creates the rules of a group without requests.
    init(_ limits: [RateLimit], at now: Duration = .zero) {
        for limit in limits {
            switch limit.algorithm {
            case .tokenBucket(let burst): buckets.append(TokenBucket(limit, burst: burst))
            case .slidingWindow: windows.append(SlidingWindow(limit))
            case .adaptive: adaptiveRates.append(AdaptiveRate(at: now))
            }
        }
    }

    /// Whether the times of ``time(after:from:)`` may be too early, because limits that alternate delay each other.
    var hasSeveralLimits: Bool { buckets.count + windows.count + adaptiveRates.count > 1 }

    /// Whether forgetting the requests so far changes nothing.
    func isUnused(at now: Duration) -> Bool {
        buckets.allSatisfy { $0.isUnused(at: now) } && windows.allSatisfy { $0.isUnused(at: now) }
            && adaptiveRates.allSatisfy { !$0.isEnabled }
    }

    /// Counts a request if all limits allow it, and returns whether they do.
    mutating func take(at now: Duration) -> Bool {
        for index in buckets.indices where !buckets[index].isReady(at: now) { return false }
        for index in windows.indices where !windows[index].isReady(at: now) { return false }
        for index in adaptiveRates.indices where !adaptiveRates[index].isReady(at: now) { return false }
        for index in buckets.indices { buckets[index].take() }
        for index in windows.indices { windows[index].take(at: now) }
        for index in adaptiveRates.indices { adaptiveRates[index].take() }
        return true
    }

    /// Takes back a request that was counted and not sent.
    mutating func giveBack() {
        for index in buckets.indices { buckets[index].giveBack() }
        for index in windows.indices { windows[index].giveBack() }
        for index in adaptiveRates.indices { adaptiveRates[index].giveBack() }
    }

    /// Handles the end of a request, and returns whether a rate has decreased.
    ///
    /// - Parameters:
    ///   - isThrottled: Whether the end is a throttling response.
    ///   - now: The time.
    /// - Returns: Whether requests that wait may have to wait for longer.
    mutating func requestEnded(isThrottled: Bool, at now: Duration) -> Bool {
        var hasDecreased = false
        for index in adaptiveRates.indices {
            if adaptiveRates[index].requestEnded(isThrottled: isThrottled, at: now) { hasDecreased = true }
        }
        return hasDecreased
    }

    /// Returns the earliest time, not before `start`, at which a request may be sent if others are sent before it.
    func time(after others: Int, from start: Duration) -> Duration {
        var time = start
        for bucket in buckets { time = max(time, bucket.time(after: others, from: start)) }
        for window in windows { time = max(time, window.time(after: others, from: start)) }
        for rate in adaptiveRates { time = max(time, rate.time(after: others, from: start)) }
        return time
    }
}
