struct Problem: Codable, Hashable, Sendable, Error {
    var message: String
}
