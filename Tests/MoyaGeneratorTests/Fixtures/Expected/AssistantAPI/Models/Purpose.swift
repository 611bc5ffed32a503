/// The values of `purpose`.
public struct Purpose: RawRepresentable, Codable, Hashable, Sendable {
    /// The value `training`.
    public static let training = Self(rawValue: "training")
    /// The value `search`.
    public static let search = Self(rawValue: "search")

    /// The value as it is sent.
    public var rawValue: String

    /// Creates a value, which the document need not list.
    public init(rawValue: String) { self.rawValue = rawValue }
}
