/// A new book.
public struct NewBook: Codable, Hashable, Sendable {
    /// The value of `title`.
    public var title: String
    /// The value of `weight`.
    public var weight: Double?
    /// The value of `isbn`.
    @NullEncoded public var isbn: String?
    /// The value of `copies`.
    public var copies: Int64 = 1

    /// Creates a value.
    public init(title: String, weight: Double? = nil, isbn: String? = nil, copies: Int64 = 1) {
        self.title = title
        self.weight = weight
        self.isbn = isbn
        self.copies = copies
    }
}
