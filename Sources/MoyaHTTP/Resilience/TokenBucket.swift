/// A bucket from which each request takes a token, and to which tokens are added over time.
///
/// The unit of the level is chosen so that a token is the number of microseconds of the period, and each microsecond adds as many units
/// as the period has requests. So the level is exact for any rate. All products fit, because a ``RateLimit`` has bounds.
struct TokenBucket: Equatable, Sendable {
    private let requests: Int64
    private let token: Int64
    private let capacity: Int64
    private var level: Int64
    /// The time of the level, in microseconds.
    private var time: Int64 = 0

    /// Creates a full bucket.
    init(_ limit: RateLimit, burst: Int) {
        requests = Int64(limit.requests)
        token = limit.period.inMicroseconds
        capacity = Int64(burst) * token
        level = capacity
    }

    /// Whether the bucket is full at a time.
    func isUnused(at now: Duration) -> Bool { refilled(at: now).level == capacity }

    /// Returns whether there is a token.
    mutating func isReady(at now: Duration) -> Bool {
        refill(at: now.inMicroseconds)
        return level >= token
    }

    /// Takes a token, which must be there.
    mutating func take() { level -= token }

    /// Puts a token back.
    mutating func giveBack() { level = min(capacity, level + token) }

    /// Returns the earliest time, not before `start`, at which a request gets its token if others take theirs before it.
    func time(after others: Int, from start: Duration) -> Duration {
        let bucket = refilled(at: start)
        let missing = Int64(others + 1) * token - bucket.level
        guard missing > 0 else { return start }
        // A clock that goes back does not make tokens earlier.
        return .microseconds(bucket.time + (missing + requests - 1) / requests)
    }

    private func refilled(at now: Duration) -> TokenBucket {
        var bucket = self
        bucket.refill(at: now.inMicroseconds)
        return bucket
    }

    private mutating func refill(at now: Int64) {
        guard now > time else { return }
        let missing = capacity - level
        // The comparison avoids an overflow after a long time.
        level = now - time >= (missing + requests - 1) / requests ? capacity : level + (now - time) * requests
        time = now
    }
}

extension Duration {
    /// The whole microseconds.
    var inMicroseconds: Int64 {
        // Ten thousand years fit.
        min(max(components.seconds, 0), 315_360_000_000) * 1_000_000 + components.attoseconds / 1_000_000_000_000
    }
}
