/// The response to "create book".
public struct CreateBookResponse: Codable, Hashable, Sendable {
    /// The value of `ticket`.
    public var ticket: String

    /// Creates a value.
    public init(ticket: String) {
        self.ticket = ticket
    }
}
