/// A room loan.
public struct RoomLoan: Codable, Hashable, Sendable {
    /// The value of `kind`.
    public var kind: String
    /// The value of `room`.
    public var room: String
    /// The value of `notes`.
    public var notes: [String: JSONValue]?

    /// Creates a value.
    public init(kind: String, room: String, notes: [String: JSONValue]? = nil) {
        self.kind = kind
        self.room = room
        self.notes = notes
    }
}
