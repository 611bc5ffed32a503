import Foundation

/// A parser for the response of a token endpoint (RFC 6749, sections 5.1 and 5.2).
///
/// It is strict about the members it uses, and lenient where servers are known to deviate: the lifetime may be a
/// string, the token type may be missing or in any case, and an error may have a success status.
struct OAuth2TokenResponse {
    let status: Int
    let body: Data
    /// The secrets to remove from error texts, in case the server repeats them.
    var secrets: [String] = []

    /// The maximum size of a response in bytes, more than any token endpoint sends.
    static let maximumSize = 1 << 20
    /// About 300 years.
    ///
    /// It keeps an expiration date within the range of calendars.
    private static let longestLifetime: TimeInterval = 1e10

    /// Returns the new credential.
    ///
    /// - Parameters:
    ///   - credential: The previous credential. Its refresh token and scope are kept if the response has none
    ///     (sections 5.1 and 6).
    ///   - requested: The time of the request, at which the lifetime starts.
    ///   - leeway: The maximum leeway of the new credential in seconds.
    /// - Returns: The new credential.
    /// - Throws: ``OAuth2Error``.
    func credential(
        renewing credential: OAuth2Credential,
        requested: Date,
        leeway: TimeInterval
    ) throws(OAuth2Error) -> OAuth2Credential {
        let isSuccess = (200..<300).contains(status)
        guard let response = try? JSONDecoder().decode(Members.self, from: body) else {
            throw isSuccess ? .notJSON : .unexpectedStatus(status)
        }
        guard isSuccess, response.error == nil || response.accessToken != nil else {
            guard let code = response.error, !code.isEmpty else {
                throw isSuccess ? .invalidMember("access_token") : .unexpectedStatus(status)
            }
            throw .refused(
                OAuth2Error.Code(rawValue: harmless(code)),
                description: response.errorDescription.map { harmless($0) },
                uri: response.errorURI.map { harmless($0) }
            )
        }
        if let type = response.tokenType, type.lowercased() != "bearer" { throw .unsupportedTokenType(harmless(type)) }
        guard let token = response.accessToken, token.isBearerToken else { throw .invalidMember("access_token") }
        // Some servers send 0 for tokens that do not expire, and an expired token would be useless.
        let lifetime = response.lifetime.flatMap { $0 > 0 ? min($0, Self.longestLifetime) : nil }
        return OAuth2Credential(
            accessToken: token,
            refreshToken: response.refreshToken.flatMap { $0.isEmpty ? nil : $0 } ?? credential.refreshToken,
            expiration: lifetime.map { requested.addingTimeInterval($0) },
            // If a token lives shorter than the leeway, not every request should refresh it.
            leeway: lifetime.map { min(leeway, $0 / 2) } ?? leeway,
            tokenType: "Bearer",
            scope: response.scope ?? credential.scope
        )
    }

    /// Returns the text without secrets and control characters, shortened to 500 characters.
    private func harmless(_ text: String) -> String {
        var text = text
        for secret in secrets where !secret.isEmpty {
            text = text.replacingOccurrences(of: secret, with: SecretMask.placeholder)
        }
        let scalars = text.unicodeScalars.prefix(500).map { $0.properties.generalCategory == .control ? " " : $0 }
        return String(String.UnicodeScalarView(scalars))
    }

    private struct Members: Decodable {
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
            // Members of the wrong type count as missing.
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
