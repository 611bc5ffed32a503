/// A book base.
public struct BookBase: Codable, Hashable, Sendable {
    /// The value of `title`.
    public var title: String
    /// The value of `weight`.
    public var weight: Double?

    /// Creates a value.
    public init(title: String, weight: Double? = nil) {
        self.title = title
        self.weight = weight
    }
}
