/// An order of ingredients.
struct Order: Codable, Hashable, Sendable {
    var recipes: [String]
    var servings: Int = 2
    var note: String?
}
