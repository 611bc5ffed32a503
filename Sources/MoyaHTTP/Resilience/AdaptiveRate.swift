import Foundation

/// A rate that adapts to the throttling responses of a server: the rules of botocore's retry mode `adaptive`.
///
/// The first throttling response enables the limit. Each one sets the rate to 70 % of the measured one, and then the rate grows with the
/// time by the function of CUBIC (RFC 9438): fast at first, slowly near the rate of the throttling, and fast again beyond.
///
/// The numbers are seconds, requests and requests per second, in the same order of operations as in botocore, so that they are equal.
struct AdaptiveRate: Equatable, Sendable {
    /// Whether a throttling response has arrived; no request waits before.
    private(set) var isEnabled = false
    private(set) var measured: MeasuredRate
    private(set) var growth: CubicGrowth
    private(set) var bucket: Bucket

    /// The minimum of the rate, as requests in a period.
    static let minimum = (requests: 1, period: Duration.seconds(2))

    /// Creates the rate of a group without requests.
    init(at now: Duration) {
        measured = MeasuredRate(at: now.nearestSeconds)
        growth = CubicGrowth(at: now.nearestSeconds)
        bucket = Bucket(rate: 1, at: now.nearestSeconds)
    }

    // MARK: Requests

    /// Returns whether a request may be sent.
    mutating func isReady(at now: Duration) -> Bool {
        guard isEnabled else { return true }
        bucket.refill(at: now.nearestSeconds)
        return bucket.level >= 1
    }

    /// Counts a request, which must be allowed.
    mutating func take() { if isEnabled { bucket.take() } }

    /// Takes back a request that was counted and not sent.
    mutating func giveBack() { if isEnabled { bucket.giveBack() } }

    /// Returns the earliest time, not before `start`, at which a request may be sent if others are sent before it and the rate stays.
    func time(after others: Int, from start: Duration) -> Duration {
        guard isEnabled else { return start }
        return start + bucket.delay(after: others, from: start.nearestSeconds)
    }

    // MARK: Responses

    /// Handles the end of a request, and returns whether the rate has decreased.
    ///
    /// - Parameters:
    ///   - isThrottled: Whether the end is a throttling response.
    ///   - now: The time.
    /// - Returns: Whether requests that wait may have to wait for longer.
    mutating func requestEnded(isThrottled: Bool, at now: Duration) -> Bool {
        let now = now.nearestSeconds
        let measuredRate = measured.countEnd(at: now)
        let before = isEnabled ? bucket.rate : .infinity
        let rate: Double
        if isThrottled {
            rate = growth.throttled(at: now, rate: isEnabled ? min(measuredRate, bucket.rate) : measuredRate)
            isEnabled = true
        } else {
            rate = growth.rate(at: now)
        }
        // The rate must not grow much above the rate that the application needs.
        bucket.setRate(min(rate, 2 * measuredRate), at: now)
        return isEnabled && bucket.rate < before
    }

    // MARK: Parts

    /// The smoothed rate of the requests that have ended.
    struct MeasuredRate: Equatable, Sendable {
        /// The rate.
        private(set) var value = 0.0
        private var intervalStart: Double
        private var count = 0

        private static let intervalsPerSecond = 2.0
        private static let smoothing = 0.8

        /// Creates the rate of no requests.
        init(at now: Double) { intervalStart = now.rounded(.down) }

        /// Counts a request that has ended, and returns the rate, which changes with the first request of each half of a second.
        mutating func countEnd(at now: Double) -> Double {
            let interval = (now * Self.intervalsPerSecond).rounded(.down) / Self.intervalsPerSecond
            count += 1
            if interval > intervalStart {
                let rate = Double(count) / (interval - intervalStart)
                value = rate * Self.smoothing + value * (1 - Self.smoothing)
                count = 0
                intervalStart = interval
            }
            return value
        }
    }

    /// The growth of a rate since the last throttling response.
    struct CubicGrowth: Equatable, Sendable {
        /// The rate of the last throttling response.
        private(set) var throttledRate = 0.0
        /// The time after the last throttling response at which the rate is that one again.
        private(set) var recovery = 0.0
        private var lastThrottling: Double

        private static let scale = 0.4
        private static let decrease = 0.7

        /// Creates the growth from zero.
        init(at now: Double) { lastThrottling = now }

        /// Handles a throttling response at a rate, and returns the lower rate that follows.
        mutating func throttled(at now: Double, rate: Double) -> Double {
            throttledRate = rate
            recovery = pow(rate * (1 - Self.decrease) / Self.scale, 1 / 3)
            lastThrottling = now
            return rate * Self.decrease
        }

        /// Returns the rate at a time.
        func rate(at now: Double) -> Double {
            Self.scale * pow(now - lastThrottling - recovery, 3) + throttledRate
        }
    }

    /// A bucket to which tokens are added at a rate that changes.
    struct Bucket: Equatable, Sendable {
        /// The tokens that are added per second.
        private(set) var rate: Double
        /// The maximum number of tokens.
        private(set) var capacity = 1.0
        /// The number of tokens.
        private(set) var level = 0.0
        private var time: Double

        private static let minimumRate = Double(AdaptiveRate.minimum.requests) / AdaptiveRate.minimum.period.inSeconds

        /// Creates an empty bucket.
        init(rate: Double, at now: Double) { (self.rate, time) = (rate, now) }

        mutating func take() { level -= 1 }

        mutating func giveBack() { level = min(capacity, level + 1) }

        mutating func setRate(_ newRate: Double, at now: Double) {
            // The tokens until now are those of the old rate.
            refill(at: now)
            rate = max(newRate, Self.minimumRate)
            capacity = max(newRate, 1)
            level = min(level, capacity)
        }

        mutating func refill(at now: Double) {
            // A clock that goes back takes no tokens.
            guard now > time else { return }
            level = min(capacity, level + (now - time) * rate)
            time = now
        }

        /// Returns the delay from a time until a request gets its token if others take theirs before it.
        func delay(after others: Int, from now: Double) -> Duration {
            var bucket = self
            bucket.refill(at: now)
            let missing = Double(others) + 1 - bucket.level
            guard missing > 0 else { return .zero }
            // The delay is rounded up, so that the token is there at its end. The number fits, because the rate has a minimum.
            return .nanoseconds(Int64((missing / rate * 1e9).rounded(.up)))
        }
    }
}

extension Duration {
    /// The nearest number of seconds; a quotient of durations is less exact for long ones.
    fileprivate var nearestSeconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1_000_000_000_000_000_000
    }
}
