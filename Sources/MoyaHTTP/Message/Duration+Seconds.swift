import Foundation

extension Duration {
    /// A duration from any number of seconds: `Duration.seconds(_:)` traps on what is not finite.
    ///
    /// What is negative or no number becomes zero, what is longer than a year a year.
    package init(clampingSeconds seconds: TimeInterval) {
        self = .seconds(seconds > 0 ? min(seconds, 365 * 24 * 3600) : 0)
    }
}
