import Foundation

/// What is sent and received: as much as a small answer of an API has.
public struct User: Codable, Sendable, Equatable {
    /// A number.
    public var id: Int
    /// A text.
    public var login: String
    /// Another.
    public var name: String
    /// A truth value.
    public var isAdmin: Bool
    /// A number with a fraction.
    public var score: Double
    /// Several texts.
    public var tags: [String]

    /// One user.
    public static let sample = User(
        id: 583_231,
        login: "octocat",
        name: "The Octocat",
        isAdmin: false,
        score: 97.5,
        tags: ["swift", "http", "linux"]
    )

    /// The user in JSON.
    public static let json = Data(
        #"{"id":583231,"login":"octocat","name":"The Octocat","isAdmin":false,"score":97.5,"tags":["swift","http","linux"]}"#
            .utf8
    )

    /// The user somewhere inside of an answer in JSON, at `data.user`.
    public static let nestedJSON = Data(#"{"meta":{"page":1},"data":{"user":"#.utf8) + json + Data("}}".utf8)
}
