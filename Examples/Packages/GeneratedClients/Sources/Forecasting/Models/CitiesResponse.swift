struct CitiesResponse: Codable, Hashable, Sendable {
    var cities: [City]
}
