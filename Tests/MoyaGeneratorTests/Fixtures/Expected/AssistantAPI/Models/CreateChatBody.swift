/// The body of the request "create chat".
public struct CreateChatBody: Codable, Hashable, Sendable {
    /// The value of `messages`.
    public var messages: [Message]
    /// The server's default is `1`.
    public var temperature: Double?
    /// The value of `sources`.
    public var sources: [Source]?
    /// The value of `stop`.
    public var stop: StringOrStringList?

    /// Creates a value.
    public init(
        messages: [Message],
        temperature: Double? = nil,
        sources: [Source]? = nil,
        stop: StringOrStringList? = nil
    ) {
        self.messages = messages
        self.temperature = temperature
        self.sources = sources
        self.stop = stop
    }
}
