import Foundation

struct User: Codable, Equatable, Sendable {
    var login: String
    var id: Int
    var name: String
}

struct Repository: Codable, Equatable, Sendable {
    enum CodingKeys: String, CodingKey {
        case name
        case pushedAt = "pushed_at"
    }

    var name: String
    var pushedAt: Date
}

struct Branch: Codable, Equatable, Sendable {
    var name: String
    var protected: Bool
}

/// A new issue in a request.
struct IssueDraft: Codable, Equatable, Sendable {
    var title: String
    var body: String
}

/// A created issue in a response.
struct Issue: Codable, Equatable, Sendable {
    var number: Int
    var state: String
    var title: String
    var body: String
}

/// The error body of the server.
struct Problem: Codable, Equatable, Sendable {
    var message: String
}
