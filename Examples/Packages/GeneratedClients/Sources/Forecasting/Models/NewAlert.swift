struct NewAlert: Codable, Hashable, Sendable {
    var cityID: Int
    var sky: String

    private enum CodingKeys: String, CodingKey {
        case cityID = "city_id", sky
    }
}
