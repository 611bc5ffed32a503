/// A food with its amount.
struct Ingredient: Codable, Hashable, Sendable {
    var name: String
    /// A number of pieces, or words such as "a pinch".
    var amount: StringOrDouble
}
