import Foundation

/// How long to wait before an event stream is connected again, and when to give up.
///
/// A stream's end is no failure, since servers end streams to have the client come again. A failure is an attempt that
/// brought no response, or a connection that broke. Each event that arrives ends a row of failures.
public struct ReconnectionPolicy: Equatable, Sendable {
    /// The time to wait as long as the server has not asked for another one with `retry`.
    public var initialDelay: Duration
    /// The longest time to wait, whatever the server asks for and the back-off comes to; jitter comes on top.
    public var maximumDelay: Duration
    /// How many failures in a row are followed by another attempt; 0 for none, nil for no limit.
    public var maximumFailures: Int?
    /// What each failure in a row after the first multiplies the time with; 1 for a time that stays the same. What is
    /// less than 1, or no number, counts as 1.
    public var backoffFactor: Double
    /// How much of the time is added at random at most, from 0 for nothing to 1 for as much again, so that clients that
    /// lost a server together do not all come back together.
    public var jitter: Double

    /// Makes a policy. Without arguments it is what browsers do: 3 seconds, or what the server asks for, without end.
    public init(
        initialDelay: Duration = .seconds(3),
        maximumDelay: Duration = .seconds(300),
        maximumFailures: Int? = nil,
        backoffFactor: Double = 1,
        jitter: Double = 0
    ) {
        self.initialDelay = initialDelay
        self.maximumDelay = maximumDelay
        self.maximumFailures = maximumFailures
        self.backoffFactor = backoffFactor
        self.jitter = jitter
    }

    /// The shortest time that a server can ask for, so that one that asks for none and is gone does not make its
    /// clients spin. Waiting longer than asked is allowed (WHATWG HTML, section 9.2.3).
    static let shortestRetry = Duration.milliseconds(100)

    /// The time to wait. Any values make a time from zero to a year, jitter not counted.
    ///
    /// - Parameters:
    ///   - retry: What the server last asked for.
    ///   - failures: How many there were in a row.
    ///   - random: From 0 to 1; asked for only if there is jitter.
    func delay(retry: Duration?, failures: Int, random: () -> Double) -> Duration {
        let base = retry.map { max($0, Self.shortestRetry) } ?? initialDelay
        let factor = backoffFactor > 1 ? pow(backoffFactor, Double(max(0, failures - 1))) : 1
        let delay = base.clamped(multipliedBy: factor, limit: maximumDelay)
        // In this order, a NaN is no jitter.
        guard jitter > 0 else { return delay }
        return delay + delay.clamped(multipliedBy: min(jitter, 1) * random(), limit: delay)
    }
}

extension Duration {
    /// A product that cannot overflow, and that is exact for a factor of 1.
    fileprivate func clamped(multipliedBy factor: Double, limit: Duration) -> Duration {
        let product = factor == 1 ? self : Duration(clampingSeconds: (self / .seconds(1)) * factor)
        return max(.zero, min(product, limit, .longestTimeout))
    }
}
