/// A problem.
public struct Problem: Codable, Hashable, Sendable, Error {
    /// The value of `message`.
    public var message: String

    /// Creates a value.
    public init(message: String) {
        self.message = message
    }
}
