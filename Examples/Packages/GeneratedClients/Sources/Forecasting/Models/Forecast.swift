import Foundation

struct Forecast: Codable, Hashable, Sendable {
    var city: City
    var issuedAt: Date
    var days: [Day]

    private enum CodingKeys: String, CodingKey {
        case city, issuedAt = "issued_at", days
    }
}
