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
    /// The events and facts that the monitor needs; the default is ``RequestEvent/Detail/standard``.
    ///
    /// A session reads it once, when it is created. More detail costs more time for each request.
    var detail: RequestEvent.Detail { get }

    /// Receives an event.
    func record(_ event: RequestEvent)
}

extension EventMonitor {
    /// ``RequestEvent/Detail/standard``.
    public var detail: RequestEvent.Detail { .standard }
}
