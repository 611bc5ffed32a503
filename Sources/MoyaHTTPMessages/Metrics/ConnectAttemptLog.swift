/// An event of an exchange or of a connect attempt, with its time.
package struct TimedEvent: Sendable, Equatable {
    package let event: ExchangeEvent
    package let time: MonotonicTime

    package init(_ event: ExchangeEvent, at time: MonotonicTime) {
        (self.event, self.time) = (event, time)
    }
}

/// The events of one connect attempt, of which each phase occurs at most once.
package struct ConnectAttemptLog: Sendable, Equatable {
    /// The number of the attempt, and of its connection, which is unique in the process.
    package let number: Int
    /// The events in their order.
    package private(set) var events: [TimedEvent] = []

    /// Creates a log with a number.
    package init(number: Int) { self.number = number }

    private static let lastNumber = Locked(0)

    /// Creates the log of an attempt that begins.
    package static func begin() -> ConnectAttemptLog {
        ConnectAttemptLog(
            number: lastNumber.withLock { number in
                number += 1
                return number
            }
        )
    }

    /// The facts of the TLS handshake with the server; `nil` without one.
    package var tls: ExchangeConnection.TLS? {
        events.lazy.compactMap { if case .tlsEnded(let tls) = $0.event { tls } else { nil } }.first
    }

    /// Adds an event.
    package mutating func append(_ event: TimedEvent) { events.append(event) }

    /// Returns the events for an exchange that has waited for the attempt since a time: a phase that had ended before is left out, and
    /// a phase that had begun before begins at that time.
    package func events(since time: MonotonicTime) -> [TimedEvent] {
        let over = Set(events.filter { $0.time <= time }.compactMap(\.event.endedPhase))
        return events.compactMap { timed in
            if let phase = timed.event.startedPhase ?? timed.event.endedPhase, over.contains(phase) { return nil }
            return TimedEvent(timed.event, at: max(timed.time, time))
        }
    }
}
