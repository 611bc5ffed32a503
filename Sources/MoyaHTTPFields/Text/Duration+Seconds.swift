import Foundation

extension Duration {
    /// The longest timeout: one year.
    ///
    /// Clocks and event loops trap on infinite times.
    package static let longestTimeout = Duration.seconds(365 * 24 * 3600)

    /// The duration in seconds.
    package var inSeconds: TimeInterval { self / .seconds(1) }

    /// Creates a duration from any number of seconds; `Duration.seconds(_:)` traps on values that are not finite.
    ///
    /// Negative values and NaN become zero; values of more than a year become a year.
    package init(clampingSeconds seconds: TimeInterval) {
        self = .seconds(seconds > 0 ? min(seconds, Self.longestTimeout / .seconds(1)) : 0)
    }

    /// The duration in milliseconds or seconds, for texts.
    package var text: String {
        let milliseconds = (self / .milliseconds(1)).rounded()
        guard milliseconds >= 1000 else { return "\(Int(milliseconds)) ms" }
        let seconds = (milliseconds / 100).rounded() / 10
        return seconds == seconds.rounded() ? "\(Int(min(seconds, 1e9))) s" : "\(seconds) s"
    }
}
