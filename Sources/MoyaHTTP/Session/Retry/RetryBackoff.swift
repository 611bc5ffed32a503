import Foundation

/// Exponential back-off with full jitter: the wait is anything from none to a bound that grows with each retry, so that
/// clients that failed together do not come back together. Pure.
struct RetryBackoff: Equatable, Sendable {
    /// What each retry multiplies the bound with.
    let base: UInt
    /// The first bound in seconds.
    let scale: Double
    /// The last bound.
    let maximum: Duration

    /// The bound for a retry that follows so many others. Any values make a time from zero to a year.
    func bound(retryCount: Int) -> Duration {
        let seconds = scale * pow(Double(base), Double(max(0, retryCount)))
        return max(.zero, min(Duration(clampingSeconds: seconds), maximum, .longestTimeout))
    }

    /// The wait.
    ///
    /// - Parameter random: From 0 to 1. What is no such number counts as 1.
    func delay(retryCount: Int, random: Double) -> Duration {
        let share = (0...1).contains(random) ? random : 1
        return Duration(clampingSeconds: bound(retryCount: retryCount) / .seconds(1) * share)
    }
}
