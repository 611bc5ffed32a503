import Foundation
import Moya

/// Adds the access token to requests, and refreshes it.
struct JournalAuthenticator: Authenticator {
    let login: MoyaProvider<JournalAPI>

    func apply(_ credential: Tokens, to urlRequest: inout URLRequest) {
        urlRequest.headers.add(.authorization(bearerToken: credential.accessToken))
    }

    func refresh(_ credential: Tokens, for session: Session) async throws -> Tokens {
        try await login.request(.refresh(token: credential.refreshToken)).map(Tokens.self, using: JSONDecoder.journal)
    }
}
