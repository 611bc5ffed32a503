import Foundation

/// A recorder of the times of one exchange, to which its transport reports the events.
///
/// A session sets ``TransportRequest/recorder`` if a monitor, an option or a recording asks for the times; otherwise it is `nil`, and
/// nothing is measured. A custom transport reports the events that it knows:
///
///     request.recorder?.record(.acquired(connection, isReused: true))
///
/// Events of any thread are recorded in the order of the calls.
public final class ExchangeRecorder: Sendable {
    /// A function that receives each event with its time.
    public typealias Observer = @Sendable (_ event: ExchangeEvent, _ instant: ContinuousClock.Instant) -> Void

    private let state: InlineLocked<ExchangeTimings>
    private let observer: Observer?

    /// Creates the recorder of an exchange that begins now.
    ///
    /// - Parameter observer: Receives each event as it is recorded, on the thread of the transport, which it must not block.
    public init(observer: Observer? = nil) {
        state = InlineLocked(ExchangeTimings())
        self.observer = observer
    }

    /// The times so far.
    public var timings: ExchangeTimings { state.withLock { $0 } }

    /// Records an event.
    ///
    /// Events after the end of the exchange are ignored.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - instant: The time of the event, which may be earlier than the time of the call.
    public func record(_ event: ExchangeEvent, at instant: ContinuousClock.Instant = .now) {
        let isRunning = state.withLock { timings in
            guard timings.ended == nil else { return false }
            timings.record(event, at: max(.zero, instant - timings.start))
            return true
        }
        if isRunning { observer?(event, instant) }
    }
}
