import Foundation

/// How often a credential may be refreshed: what ends a loop of refreshes that a server would otherwise see for ever.
public struct RefreshWindow: Equatable, Sendable {
    /// How long a refresh counts, in seconds.
    public var interval: TimeInterval
    /// How many refreshes may begin within the interval, failed ones included. With none there is never a refresh.
    public var maximumAttempts: Int

    /// Makes a window.
    public init(interval: TimeInterval = 30, maximumAttempts: Int = 5) {
        self.interval = interval
        self.maximumAttempts = maximumAttempts
    }
}
