struct Filter: Codable, Hashable, Sendable {
    var author: String?
    var isLent: Bool?

    private enum CodingKeys: String, CodingKey {
        case author, isLent = "is_lent"
    }
}
