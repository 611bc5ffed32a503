struct City: Codable, Hashable, Sendable {
    var id: Int
    var name: String
    var country: String
    var location: Location
}
