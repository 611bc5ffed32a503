import Foundation

/// A policy for the delay before an event stream reconnects, and for when it gives up.
///
/// The end of a response is not a failure, since servers end responses to make clients reconnect. A failure is an
/// attempt without a response, or a lost connection. Each received event resets the count of failures in a row.
public struct ReconnectionPolicy: Equatable, Sendable {
    /// The delay unless the server sets another one with `retry`.
    public var initialDelay: Duration
    /// The maximum delay, whatever the server sets and the back-off yields.
    ///
    /// Jitter is added to it.
    public var maximumDelay: Duration
    /// The number of failures in a row after which the stream still reconnects; 0 for none, nil for no limit.
    public var maximumFailures: Int?
    /// The factor by which each failure in a row after the first multiplies the delay; 1 for a constant delay.
    ///
    /// Values less than 1 and NaN count as 1.
    public var backoffFactor: Double
    /// The maximum random part that is added to the delay, from 0 (nothing) to 1 (as much again).
    ///
    /// It keeps clients that lost a server at the same time from reconnecting at the same time.
    public var jitter: Double

    /// Creates a policy.
    ///
    /// The defaults are those of browsers: 3 seconds or the time that the server sets, without a limit on failures.
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

    /// The minimum of a delay that the server sets.
    ///
    /// It keeps clients from spinning if an unreachable server had set 0. Waiting longer than `retry` is allowed
    /// (WHATWG HTML, section 9.2.3).
    static let shortestRetry = Duration.milliseconds(100)

    /// Returns the delay before the next attempt, from zero to one year for any values, jitter excluded.
    ///
    /// - Parameters:
    ///   - retry: The last reconnection time that the server set.
    ///   - failures: The number of failures in a row.
    ///   - random: Returns a value from 0 to 1. It is called only if there is jitter.
    /// - Returns: The delay, jitter included.
    func delay(retry: Duration?, failures: Int, random: () -> Double) -> Duration {
        let base = retry.map { max($0, Self.shortestRetry) } ?? initialDelay
        let factor = backoffFactor > 1 ? pow(backoffFactor, Double(max(0, failures - 1))) : 1
        let delay = base.clamped(multipliedBy: factor, limit: maximumDelay)
        // This order treats NaN as no jitter.
        guard jitter > 0 else { return delay }
        return delay + delay.clamped(multipliedBy: min(jitter, 1) * random(), limit: delay)
    }
}

extension Duration {
    /// Returns the product without overflow; it is exact for a factor of 1.
    fileprivate func clamped(multipliedBy factor: Double, limit: Duration) -> Duration {
        let product = factor == 1 ? self : Duration(clampingSeconds: (self / .seconds(1)) * factor)
        return max(.zero, min(product, limit, .longestTimeout))
    }
}
