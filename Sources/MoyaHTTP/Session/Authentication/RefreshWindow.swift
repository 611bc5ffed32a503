import Foundation

/// A limit on the number of refreshes in an interval, which ends refresh loops.
public struct RefreshWindow: Equatable, Sendable {
    /// The length of the interval, in seconds.
    public var interval: TimeInterval
    /// The maximum number of refreshes that may start within the interval, including failed ones; 0 disables
    /// refreshes.
    public var maximumAttempts: Int

    /// Creates a window.
    public init(interval: TimeInterval = 30, maximumAttempts: Int = 5) {
        self.interval = interval
        self.maximumAttempts = maximumAttempts
    }
}
