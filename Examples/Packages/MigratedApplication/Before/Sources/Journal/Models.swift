import Foundation

struct Entry: Codable, Equatable {
    let id: Int
    let title: String
    let createdAt: Date
}

struct EntryDraft: Codable, Equatable {
    let title: String
    let text: String
}

struct Tokens: Codable {
    let accessToken: String
    let refreshToken: String
}

struct ErrorBody: Codable {
    let message: String
}

extension JSONDecoder {
    static let journal: JSONDecoder = {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        decoder.dateDecodingStrategy = .iso8601
        return decoder
    }()
}
