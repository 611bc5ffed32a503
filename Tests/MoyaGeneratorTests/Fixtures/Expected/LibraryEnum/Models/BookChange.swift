/// A book change.
public struct BookChange: Codable, Hashable, Sendable {
    /// The value of `title`.
    public var title: String?
    /// The value of `isbn`.
    public var isbn: Nullable<String>?

    /// Creates a value.
    public init(title: String? = nil, isbn: Nullable<String>? = nil) {
        self.title = title
        self.isbn = isbn
    }
}
