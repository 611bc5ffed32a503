/// A step that combines ingredients.
struct Mix: Codable, Hashable, Sendable {
    var kind: String = "mix"
    var ingredients: [String]
}
