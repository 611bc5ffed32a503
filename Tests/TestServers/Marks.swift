import NIOConcurrencyHelpers

/// The times of named events of a server, set from any thread.
public final class Marks: Sendable {
    private let times = NIOLockedValueBox<[String: ContinuousClock.Instant]>([:])

    /// Creates marks without times.
    public init() {}

    /// Sets the time of an event to the current time; the first call for an event counts.
    public func mark(_ event: String) {
        let now = ContinuousClock.now
        times.withLockedValue { times in
            if times[event] == nil { times[event] = now }
        }
    }

    /// The time of an event; `nil` before it.
    public subscript(_ event: String) -> ContinuousClock.Instant? { times.withLockedValue { $0[event] } }
}
