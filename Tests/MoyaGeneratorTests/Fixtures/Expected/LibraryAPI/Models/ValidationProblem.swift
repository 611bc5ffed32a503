struct ValidationProblem: Codable, Hashable, Sendable, Error {
    var message: String
    var fields: [String: [String]]
}
