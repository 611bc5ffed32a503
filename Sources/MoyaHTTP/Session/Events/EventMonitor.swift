/// A receiver of the events of a session's requests, with their times, for example for metrics and traces.
///
///     struct Printer: EventMonitor {
///         func record(_ event: RequestEvent) { print(event.id, event.retryCount, event.kind) }
///     }
///     let session = Session(eventMonitors: [Printer()])
///
/// A monitor is called synchronously, on any thread, and delays the request until it returns. The events of one request
/// arrive in order, one after the other. The requests of events may contain credentials.
@preconcurrency
public protocol EventMonitor: Sendable {
    /// Receives an event.
    func record(_ event: RequestEvent)
}
