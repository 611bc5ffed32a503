/// The values of `sort by`.
public struct SortBy: RawRepresentable, Codable, Hashable, Sendable {
    /// The value `title`.
    public static let title = Self(rawValue: "title")
    /// The value `-year`.
    public static let year = Self(rawValue: "-year")

    /// The value as it is sent.
    public var rawValue: String

    /// Creates a value, which the document need not list.
    public init(rawValue: String) { self.rawValue = rawValue }
}
