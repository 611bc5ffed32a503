import Foundation

extension Duration {
    /// The longest time-out there is, a year: clocks and event loops trap on times without end.
    package static let longestTimeout = Duration.seconds(365 * 24 * 3600)

    /// A duration from any number of seconds: `Duration.seconds(_:)` traps on what is not finite.
    ///
    /// What is negative or no number becomes zero, what is longer than a year a year.
    package init(clampingSeconds seconds: TimeInterval) {
        self = .seconds(seconds > 0 ? min(seconds, Self.longestTimeout / .seconds(1)) : 0)
    }
}
