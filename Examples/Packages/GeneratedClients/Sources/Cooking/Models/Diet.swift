/// The food that a recipe goes without.
struct Diet: RawRepresentable, Codable, Hashable, Sendable {
    static let vegan = Self(rawValue: "vegan")
    static let vegetarian = Self(rawValue: "vegetarian")
    static let glutenFree = Self(rawValue: "gluten-free")

    var rawValue: String
}
