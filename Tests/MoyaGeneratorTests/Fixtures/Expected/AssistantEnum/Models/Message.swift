struct Message: Codable, Hashable, Sendable {
    var role: Role
    var content: StringOrContentList
    var replies: [Message]?
    var name: String?
    var score: Double?

    struct Role: RawRepresentable, Codable, Hashable, Sendable {
        static let user = Self(rawValue: "user")
        static let assistant = Self(rawValue: "assistant")

        var rawValue: String
    }
}
