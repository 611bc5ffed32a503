/// The times of the latest requests, of which a period of any beginning has a maximum number.
struct SlidingWindow: Equatable, Sendable {
    private let limit: Int
    private let period: Duration
    /// The times, the earliest first, from `first` on.
    private var times: [Duration] = []
    private var first = 0

    /// Creates a window without requests.
    init(_ limit: RateLimit) {
        self.limit = limit.requests
        period = limit.period
    }

    private var count: Int { times.count - first }

    /// Whether no request counts at a time.
    func isUnused(at now: Duration) -> Bool { times.last.map { $0 + period <= now } ?? true }

    /// Returns whether a request may be sent.
    mutating func isReady(at now: Duration) -> Bool {
        while first < times.count, times[first] + period <= now { first += 1 }
        // The array is shortened seldom, so that each time is moved once on average.
        if first >= 32, first * 2 >= times.count {
            times.removeFirst(first)
            first = 0
        }
        return count < limit
    }

    /// Counts a request.
    mutating func take(at now: Duration) {
        // A clock that goes back does not change the order of the times.
        times.append(max(now, times.last ?? now))
    }

    /// Removes the latest request.
    mutating func giveBack() { if count > 0 { times.removeLast() } }

    /// Returns the earliest time, not before `start`, at which a request may be sent if others are sent before it.
    func time(after others: Int, from start: Duration) -> Duration {
        let counted = firstCounted(at: start)
        let free = limit - (times.count - counted)
        // Each of the places is free again a period after its use.
        let place = others % limit
        let next = place < free ? start : times[counted + place - free] + period
        return next + period * (others / limit)
    }

    /// Returns the index of the first time that counts at `now`.
    private func firstCounted(at now: Duration) -> Int {
        var (low, high) = (first, times.count)
        while low < high {
            let middle = (low + high) / 2
            if times[middle] + period <= now { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
