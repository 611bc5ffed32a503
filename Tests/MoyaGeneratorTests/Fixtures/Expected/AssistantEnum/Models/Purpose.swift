struct Purpose: RawRepresentable, Codable, Hashable, Sendable {
    static let training = Self(rawValue: "training")
    static let search = Self(rawValue: "search")

    var rawValue: String
}
