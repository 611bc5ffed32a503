struct BookBase: Codable, Hashable, Sendable {
    var title: String
    var weight: Double?
}
