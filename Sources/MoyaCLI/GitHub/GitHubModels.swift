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

/// What the client says of an issue that is to be made.
struct IssueDraft: Codable, Equatable, Sendable {
    var title: String
    var body: String
}

/// What the server says of an issue that has been made.
struct Issue: Codable, Equatable, Sendable {
    var number: Int
    var state: String
    var title: String
    var body: String
}

/// Why the server refuses a request.
struct Problem: Codable, Equatable, Sendable {
    var message: String
}
