struct SortBy: RawRepresentable, Codable, Hashable, Sendable {
    static let title = Self(rawValue: "title")
    static let year = Self(rawValue: "-year")

    var rawValue: String
}
