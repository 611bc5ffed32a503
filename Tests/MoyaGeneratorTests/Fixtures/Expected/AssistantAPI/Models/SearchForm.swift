/// The form of the request "search".
public struct SearchForm: Codable, Hashable, Sendable {
    /// The value of `query`.
    public var query: String
    /// The value of `limit`.
    public var limit: Int?

    /// Creates a value.
    public init(query: String, limit: Int? = nil) {
        self.query = query
        self.limit = limit
    }
}
