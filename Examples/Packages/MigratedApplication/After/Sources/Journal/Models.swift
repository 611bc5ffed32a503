import Foundation
import Moya

struct Entry: Codable, Equatable {
    let id: Int
    let title: String
    let createdAt: Date
}

struct EntryDraft: Codable, Equatable {
    let title: String
    let text: String
}

struct Tokens: Codable, AuthenticationCredential {
    let accessToken: String
    let refreshToken: String

    /// The tokens are refreshed when the server refuses them, because they have no date of expiration.
    var requiresRefresh: Bool { return false }
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
