import Foundation

struct Alert: Codable, Hashable, Sendable {
    var id: UUID
    var cityID: Int
    var sky: String
    var active: Bool

    private enum CodingKeys: String, CodingKey {
        case id, cityID = "city_id", sky, active
    }
}
