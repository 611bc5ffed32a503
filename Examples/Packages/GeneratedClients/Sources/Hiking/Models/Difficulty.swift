/// The effort that a trail takes.
struct Difficulty: RawRepresentable, Codable, Hashable, Sendable {
    static let easy = Self(rawValue: "easy")
    static let moderate = Self(rawValue: "moderate")
    static let hard = Self(rawValue: "hard")

    var rawValue: String
}
