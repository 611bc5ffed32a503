/// The ingredients that are missing.
struct OutOfStock: Codable, Hashable, Sendable, Error {
    var ingredients: [String]
}
