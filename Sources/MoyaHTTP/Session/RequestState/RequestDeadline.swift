import Foundation

/// The end of a request's total time, on the clock of the transports.
///
/// Each stage that waits ends its wait at the deadline, and then ends the request like a cancelled one (``RequestContext/isEnding``).
// An object, because many stages copy a context, and most requests have no deadline.
final class RequestDeadline: Sendable {
    let timeout: RequestTimeoutError
    /// The rest of the time at the start.
    private let time: Duration
    private let start = MonotonicTime.now

    /// Creates a deadline that is this time away.
    init(_ timeout: RequestTimeoutError, after time: Duration) { (self.timeout, self.time) = (timeout, time) }

    /// The rest of the time; not positive when it is over.
    var timeLeft: Duration { time - (.now - start) }

    /// Whether the time is over.
    var isOver: Bool { timeLeft <= .zero }

    /// Waits for a result in a child task, which is cancelled at the deadline.
    nonisolated(nonsending) func limit<Value: Sendable>(
        _ wait: @escaping @Sendable () async -> Value
    ) async -> Value? {
        await withTaskGroup(of: Value?.self) { group in
            group.addTask { await wait() }
            group.addTask { [timeLeft] in
                try? await ContinuousClock().sleep(for: timeLeft)
                return nil
            }
            var value: Value?
            while let event = await group.next() {
                group.cancelAll()
                if let event { value = event }
            }
            return value
        }
    }
}
