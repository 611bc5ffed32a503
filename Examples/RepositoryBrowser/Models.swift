import Foundation

struct Profile: Decodable, Equatable {
    let login: String
    let id: Int
    let name: String?
}

struct Repository: Decodable, Equatable {
    let name: String
    let stars: Int

    enum CodingKeys: String, CodingKey {
        case name
        case stars = "stargazers_count"
    }
}

struct NewIssue: Encodable {
    let title: String
    let body: String
}
