/// A time of `ContinuousClock`, relative to the first one that the process has read.
///
/// Values that many stages copy contain it in place of `ContinuousClock.Instant`. The layout of that type is unknown outside the standard
/// library, so that each copy of a value that contains one is a call, and its asynchronous functions allocate memory for each.
package struct MonotonicTime: Hashable, Comparable, Sendable {
    private static let reference = ContinuousClock.now

    private let sinceReference: Duration

    /// The current time.
    package static var now: MonotonicTime { MonotonicTime(sinceReference: ContinuousClock.now - reference) }

    private init(sinceReference: Duration) { self.sinceReference = sinceReference }

    /// Creates the same time from an instant of the clock.
    package init(_ instant: ContinuousClock.Instant) { sinceReference = instant - Self.reference }

    /// The same time as an instant of the clock.
    package var instant: ContinuousClock.Instant { Self.reference + sinceReference }

    /// Returns whether a time is earlier than another one.
    package static func < (earlier: MonotonicTime, later: MonotonicTime) -> Bool {
        earlier.sinceReference < later.sinceReference
    }

    /// Returns the time from `start` to `end`.
    package static func - (end: MonotonicTime, start: MonotonicTime) -> Duration {
        end.sinceReference - start.sinceReference
    }

    /// Returns the time that is later by a duration.
    package static func + (time: MonotonicTime, duration: Duration) -> MonotonicTime {
        MonotonicTime(sinceReference: time.sinceReference + duration)
    }
}
