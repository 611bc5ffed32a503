import Foundation

/// The value that requests send and receive, with the size of a typical small response.
public struct User: Codable, Sendable, Equatable {
    /// An integer.
    public var id: Int
    /// A text.
    public var login: String
    /// Another text.
    public var name: String
    /// A Boolean.
    public var isAdmin: Bool
    /// A floating-point number.
    public var score: Double
    /// An array of texts.
    public var tags: [String]

    /// The sample user.
    public static let sample = User(
        id: 583_231,
        login: "octocat",
        name: "The Octocat",
        isAdmin: false,
        score: 97.5,
        tags: ["swift", "http", "linux"]
    )

    /// The sample user as JSON.
    public static let json = Data(
        #"{"id":583231,"login":"octocat","name":"The Octocat","isAdmin":false,"score":97.5,"tags":["swift","http","linux"]}"#
            .utf8
    )

    /// The sample user nested in JSON, at `data.user`.
    public static let nestedJSON = Data(#"{"meta":{"page":1},"data":{"user":"#.utf8) + json + Data("}}".utf8)
}
