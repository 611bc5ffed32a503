/// One event of an event stream (WHATWG HTML, section 9.2, "Server-sent events").
///
/// The names are those of the stream's fields.
public struct ServerSentEvent: Equatable, Hashable, Sendable {
    /// The last event ID when the event was dispatched, empty if there is none: the event's own `id`, or that of an
    /// event before it.
    public var id: String
    /// The type, "message" where the stream does not name one.
    public var event: String
    /// The values of the `data` lines, joined with line feeds.
    public var data: String

    /// Makes an event, for stubs and tests.
    public init(id: String = "", event: String = "message", data: String) {
        self.id = id
        self.event = event
        self.data = data
    }
}
