struct Chunk: Codable, Hashable, Sendable {
    var delta: String
    var usage: Usage?

    struct Usage: Codable, Hashable, Sendable {
        var tokens: Int?
    }
}
