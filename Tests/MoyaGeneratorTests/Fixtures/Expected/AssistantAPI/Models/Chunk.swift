/// A chunk.
public struct Chunk: Codable, Hashable, Sendable {
    /// The value of `delta`.
    public var delta: String
    /// The value of `usage`.
    public var usage: Usage?

    /// Creates a value.
    public init(delta: String, usage: Usage? = nil) {
        self.delta = delta
        self.usage = usage
    }

    /// A usage.
    public struct Usage: Codable, Hashable, Sendable {
        /// The value of `tokens`.
        public var tokens: Int?

        /// Creates a value.
        public init(tokens: Int? = nil) {
            self.tokens = tokens
        }
    }
}
