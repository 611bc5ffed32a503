/// A message.
public struct Message: Codable, Hashable, Sendable {
    /// The value of `role`.
    public var role: Role
    /// The value of `content`.
    public var content: StringOrContentList
    /// The value of `replies`.
    public var replies: [Message]?
    /// The value of `name`.
    public var name: String?
    /// The value of `score`.
    public var score: Double?

    /// Creates a value.
    public init(
        role: Role,
        content: StringOrContentList,
        replies: [Message]? = nil,
        name: String? = nil,
        score: Double? = nil
    ) {
        self.role = role
        self.content = content
        self.replies = replies
        self.name = name
        self.score = score
    }

    /// The values of `role`.
    public struct Role: RawRepresentable, Codable, Hashable, Sendable {
        /// The value `user`.
        public static let user = Self(rawValue: "user")
        /// The value `assistant`.
        public static let assistant = Self(rawValue: "assistant")

        /// The value as it is sent.
        public var rawValue: String

        /// Creates a value, which the document need not list.
        public init(rawValue: String) { self.rawValue = rawValue }
    }
}
