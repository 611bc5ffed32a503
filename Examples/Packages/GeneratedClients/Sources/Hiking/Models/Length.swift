struct Length: Codable, Hashable, Sendable {
    var min: Double?
    var max: Double?
}
