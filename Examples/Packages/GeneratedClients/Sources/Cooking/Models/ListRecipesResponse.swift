/// The response to "list recipes".
struct ListRecipesResponse: Codable, Hashable, Sendable {
    var items: [Recipe]
    var nextCursor: String?

    private enum CodingKeys: String, CodingKey {
        case items, nextCursor = "next_cursor"
    }
}
