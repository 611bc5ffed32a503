/// The body of the request "create chat".
struct CreateChatBody: Codable, Hashable, Sendable {
    var messages: [Message]
    /// The server's default is `1`.
    var temperature: Double?
    var sources: [Source]?
    var stop: StringOrStringList?
}
