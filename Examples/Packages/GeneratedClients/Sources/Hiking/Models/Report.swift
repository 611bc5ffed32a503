import Foundation

/// The findings of a hiker on a trail.
struct Report: Codable, Hashable, Sendable {
    var id: UUID
    var text: String
    var rating: Int?
    var photoURL: URL?
    var createdAt: Date

    private enum CodingKeys: String, CodingKey {
        case id, text, rating, photoURL = "photo_url", createdAt = "created_at"
    }
}
