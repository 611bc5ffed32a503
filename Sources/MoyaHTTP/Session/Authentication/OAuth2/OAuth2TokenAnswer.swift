import Foundation

/// Reads what a token endpoint answers (RFC 6749, sections 5.1 and 5.2). Pure.
///
/// It is strict about what the token is used for, and lenient where servers are known to be careless: a lifetime as
/// text, a token type in any case or not named, an error with the status of a success.
struct OAuth2TokenAnswer {
    let status: Int
    let body: Data
    /// What must not get into an error, should the server repeat it.
    var secrets: [String] = []

    /// More than any answer of a token endpoint has.
    static let maximumSize = 1 << 20
    /// Three hundred years: no date that a calendar cannot hold comes of a lifetime.
    private static let longestLifetime: TimeInterval = 1e10

    /// The new credential.
    ///
    /// - Parameters:
    ///   - credential: Its refresh token and scope stay where the answer has none (sections 5.1 and 6).
    ///   - requested: When the request was sent: from then on the lifetime counts.
    func credential(
        renewing credential: OAuth2Credential,
        requested: Date,
        leeway: TimeInterval
    ) throws(OAuth2Error) -> OAuth2Credential {
        let isSuccess = (200..<300).contains(status)
        guard let answer = try? JSONDecoder().decode(Answer.self, from: body) else {
            throw isSuccess ? .notJSON : .unexpectedStatus(status)
        }
        guard isSuccess, answer.error == nil || answer.accessToken != nil else {
            guard let code = answer.error, !code.isEmpty else {
                throw isSuccess ? .invalidMember("access_token") : .unexpectedStatus(status)
            }
            throw .refused(
                OAuth2Error.Code(rawValue: harmless(code)),
                description: answer.errorDescription.map { harmless($0) },
                uri: answer.errorURI.map { harmless($0) }
            )
        }
        if let type = answer.tokenType, type.lowercased() != "bearer" { throw .unsupportedTokenType(harmless(type)) }
        guard let token = answer.accessToken, token.isBearerToken else { throw .invalidMember("access_token") }
        // Zero is what servers say of tokens that do not expire; a token that has expired already is of no use.
        let lifetime = answer.lifetime.flatMap { $0 > 0 ? min($0, Self.longestLifetime) : nil }
        return OAuth2Credential(
            accessToken: token,
            refreshToken: answer.refreshToken.flatMap { $0.isEmpty ? nil : $0 } ?? credential.refreshToken,
            expiration: lifetime.map { requested.addingTimeInterval($0) },
            // Where tokens live shorter than the leeway, not every request is to be a refresh.
            leeway: lifetime.map { min(leeway, $0 / 2) } ?? leeway,
            tokenType: "Bearer",
            scope: answer.scope ?? credential.scope
        )
    }

    /// The server's text without secrets and control characters, and of a length that can be read.
    private func harmless(_ text: String) -> String {
        var text = text
        for secret in secrets where !secret.isEmpty {
            text = text.replacingOccurrences(of: secret, with: SecretMask.placeholder)
        }
        let scalars = text.unicodeScalars.prefix(500).map { $0.properties.generalCategory == .control ? " " : $0 }
        return String(String.UnicodeScalarView(scalars))
    }

    private struct Answer: Decodable {
        var accessToken: String?
        var tokenType: String?
        var refreshToken: String?
        var scope: String?
        var lifetime: TimeInterval?
        var error: String?
        var errorDescription: String?
        var errorURI: String?

        private enum CodingKeys: String, CodingKey {
            case accessToken = "access_token"
            case tokenType = "token_type"
            case refreshToken = "refresh_token"
            case lifetime = "expires_in"
            case errorDescription = "error_description"
            case errorURI = "error_uri"
            case scope, error
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            // What has the wrong type counts as missing.
            func text(_ key: CodingKeys) -> String? { try? container.decode(String.self, forKey: key) }
            accessToken = text(.accessToken)
            tokenType = text(.tokenType)
            refreshToken = text(.refreshToken)
            scope = text(.scope)
            error = text(.error)
            errorDescription = text(.errorDescription)
            errorURI = text(.errorURI)
            let number = try? container.decode(TimeInterval.self, forKey: .lifetime)
            lifetime = (number ?? text(.lifetime).flatMap { TimeInterval($0) }).flatMap { $0.isFinite ? $0 : nil }
        }
    }
}
