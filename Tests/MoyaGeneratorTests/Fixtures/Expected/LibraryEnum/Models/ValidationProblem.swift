/// A validation problem.
public struct ValidationProblem: Codable, Hashable, Sendable, Error {
    /// The value of `message`.
    public var message: String
    /// The value of `fields`.
    public var fields: [String: [String]]

    /// Creates a value.
    public init(message: String, fields: [String: [String]]) {
        self.message = message
        self.fields = fields
    }
}
