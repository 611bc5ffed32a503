struct Location: Codable, Hashable, Sendable {
    var latitude: Double
    var longitude: Double
}
