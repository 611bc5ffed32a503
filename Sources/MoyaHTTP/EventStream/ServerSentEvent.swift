/// An event of an event stream (WHATWG HTML, section 9.2, "Server-sent events").
///
/// The properties are named after the fields of the stream.
public struct ServerSentEvent: Equatable, Hashable, Sendable {
    /// The last event ID when the event was dispatched: the `id` of this or an earlier event; empty if there was
    /// none.
    public var id: String
    /// The event type; "message" if the stream does not name one.
    public var event: String
    /// The values of the `data` lines, joined by line feeds.
    public var data: String

    /// Creates an event, for stubs and tests.
    public init(id: String = "", event: String = "message", data: String) {
        self.id = id
        self.event = event
        self.data = data
    }
}
