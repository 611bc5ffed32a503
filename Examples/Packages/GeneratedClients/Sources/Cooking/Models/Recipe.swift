/// A recipe with its steps.
struct Recipe: Codable, Hashable, Sendable {
    var id: String
    var title: String
    var diets: [Diet]?
    var ingredients: [Ingredient]
    var steps: [Step]
    /// A recipe that goes well with this one.
    @Indirect var goesWith: Recipe?
}
