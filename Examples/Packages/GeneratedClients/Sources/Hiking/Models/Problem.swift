/// The reason why a request is refused.
struct Problem: Codable, Hashable, Sendable, Error {
    var message: String
    var field: String?
}
