struct Day: Codable, Hashable, Sendable {
    var date: CalendarDate
    var sky: String
    var low: Double
    var high: Double
    var rainProbability: Double?

    private enum CodingKeys: String, CodingKey {
        case date, sky, low, high, rainProbability = "rain_probability"
    }
}
