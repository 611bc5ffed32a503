struct APIError: Codable, Hashable, Sendable, Error {
    var error: String
}
