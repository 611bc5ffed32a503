/// A book filter.
public struct BookFilter: Codable, Hashable, Sendable {
    /// The value of `author`.
    public var author: String?
    /// The value of `is_lent`.
    public var isLent: Bool?

    /// Creates a value.
    public init(author: String? = nil, isLent: Bool? = nil) {
        self.author = author
        self.isLent = isLent
    }

    private enum CodingKeys: String, CodingKey {
        case author, isLent = "is_lent"
    }
}
