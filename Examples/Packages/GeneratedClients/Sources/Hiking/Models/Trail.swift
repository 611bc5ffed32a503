/// A trail for hikers.
struct Trail: Codable, Hashable, Sendable {
    var id: Int
    var name: String
    /// The length in kilometers.
    var length: Double
    var difficulty: Difficulty
    var openedOn: CalendarDate?
    /// The day before which the trail is closed.
    var closedUntil: CalendarDate?

    private enum CodingKeys: String, CodingKey {
        case id, name, length, difficulty, openedOn = "opened_on", closedUntil = "closed_until"
    }
}
