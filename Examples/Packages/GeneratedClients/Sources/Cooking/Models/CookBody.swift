/// The body of the request "cook".
struct CookBody: Codable, Hashable, Sendable {
    /// The number of people at the table.
    var servings: Int
    var pace: Pace?

    struct Pace: RawRepresentable, Codable, Hashable, Sendable {
        static let relaxed = Self(rawValue: "relaxed")
        static let quick = Self(rawValue: "quick")

        var rawValue: String
    }
}
