/// The response to "create book".
struct CreateBookResponse: Codable, Hashable, Sendable {
    var ticket: String
}
