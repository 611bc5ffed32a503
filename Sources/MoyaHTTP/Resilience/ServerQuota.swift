/// The quota of a server, as its latest responses have described it, and as the requests since then have used it.
///
/// The number of requests left is an estimate between two responses, because other clients may use the quota too. Requests whose responses
/// have not arrived may be missing in the number of a response.
struct ServerQuota: Equatable, Sendable {
    /// The requests that may be sent until the reset.
    private(set) var remaining: Int
    /// The time at which there are more.
    private(set) var reset: Duration
    private let limit: Int?
    private let window: Duration
    /// Whether the window has begun without a response that describes it.
    private var isAssumed = false

    /// The longest window that begins without a response, because a server may have changed its mind, or sent nonsense.
    private static let longestAssumption = Duration.seconds(60)

    /// The longest pause that a server can cause: a longer one is nonsense or an attack, and daily quotas are the longest usual ones.
    static let longestPause = Duration.seconds(24 * 3600)

    /// Two resets within this time are the same one, because servers round them.
    private static let tolerance = Duration.seconds(1)

    /// Creates a quota from a response; `nil` if the response does not tell when the quota is reset.
    ///
    /// `running` is the number of requests without a response.
    init?(_ fields: RateLimitFields.Quota, at now: Duration, running: Int) {
        guard let reset = (fields.reset ?? fields.window).map({ min($0, Self.longestPause) }) else { return nil }
        // One request may be sent if the response allows any: its response has a new number.
        remaining = max(fields.remaining - running, min(fields.remaining, 1))
        self.reset = now + reset
        limit = fields.limit
        // Without a policy, the rest of the window is the best estimate of its length.
        window = max(fields.window ?? reset, Self.tolerance)
    }

    /// Updates the quota by another response; `isLate` is whether its request was sent before the response of this quota arrived.
    mutating func update(by other: ServerQuota, isLate: Bool) {
        let isSameReset = other.reset <= reset + Self.tolerance && other.reset >= reset - Self.tolerance
        if isSameReset, !isAssumed {
            let latestReset = max(reset, other.reset)
            // The responses to concurrent requests arrive in any order. In a window, the smallest number is the latest.
            if isLate { remaining = min(remaining, other.remaining) } else { self = other }
            reset = latestReset
        } else if isAssumed || !isLate || other.reset > reset {
            self = other
        }
        // A late response with an earlier reset is for an earlier window.
    }

    /// Begins the next window if this one is over, and returns whether the quota is still known.
    mutating func advance(to now: Duration, running: Int) -> Bool {
        guard now >= reset else { return true }
        guard let limit, limit > 0 else { return false }
        remaining = max(1, limit - running)
        reset = now + min(window, Self.longestAssumption)
        isAssumed = true
        return true
    }

    /// Counts a request.
    mutating func take() { remaining -= 1 }

    /// Takes back a request that was counted and not sent.
    mutating func giveBack() { remaining += 1 }

    /// Returns the earliest time, not before `start`, at which a request may be sent if others are sent before it.
    func time(after others: Int, from start: Duration) -> Duration {
        let missing = others - max(0, remaining)
        guard missing >= 0, start < reset else { return start }
        // Without a limit, one window is expected to be enough.
        guard let limit, limit > 0 else { return reset }
        return reset + window * (missing / limit)
    }
}
