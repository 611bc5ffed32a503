import Foundation

/// Exponential back-off with full jitter.
///
/// The delay is a random value between zero and a bound that grows with each retry, so that clients that failed at
/// the same time do not retry at the same time.
struct RetryBackoff: Equatable, Sendable {
    /// The factor by which each retry multiplies the bound.
    let base: UInt
    /// The first bound in seconds.
    let scale: Double
    /// The maximum bound.
    let maximum: Duration

    /// Returns the bound for a retry after `retryCount` others, from zero to one year for any values.
    func bound(retryCount: Int) -> Duration {
        let seconds = scale * pow(Double(base), Double(max(0, retryCount)))
        return max(.zero, min(Duration(clampingSeconds: seconds), maximum, .longestTimeout))
    }

    /// Returns the delay.
    ///
    /// `random` is a value from 0 to 1; other values count as 1.
    func delay(retryCount: Int, random: Double) -> Duration {
        let share = (0...1).contains(random) ? random : 1
        return Duration(clampingSeconds: bound(retryCount: retryCount) / .seconds(1) * share)
    }
}
