/// The changes of a trail.
struct TrailChange: Codable, Hashable, Sendable {
    var name: String?
    var closedUntil: Nullable<CalendarDate>?

    private enum CodingKeys: String, CodingKey {
        case name, closedUntil = "closed_until"
    }
}
