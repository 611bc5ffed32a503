struct RoomLoan: Codable, Hashable, Sendable {
    var kind: String
    var room: String
    var notes: [String: JSONValue]?
}
