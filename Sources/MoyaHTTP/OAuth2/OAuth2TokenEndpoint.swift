import Foundation

/// A request for an access token (RFC 6749, sections 4.4.2 and 6).
struct OAuth2TokenRequest {
    let url: URL
    let client: OAuth2Client
    let grant: OAuth2Authenticator.Grant
    let scope: String?

    /// Creates the request.
    ///
    /// - Throws: ``OAuth2Error/missingRefreshToken``.
    func urlRequest(renewing credential: OAuth2Credential) throws(OAuth2Error) -> URLRequest {
        // Names and values are form-encoded in UTF-8 (appendix B).
        var form = FormText(escaping: FormEscaping(rule: .whatwg, space: .plus))
        switch grant {
        case .refreshToken:
            guard let token = credential.refreshToken, !token.isEmpty else { throw .missingRefreshToken }
            form.append(name: "grant_type", value: "refresh_token")
            form.append(name: "refresh_token", value: token)
        case .clientCredentials:
            form.append(name: "grant_type", value: "client_credentials")
        }
        if let scope { form.append(name: "scope", value: scope) }
        for (name, value) in client.parameters { form.append(name: name, value: value) }

        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        request.httpBody = Data(form.bytes)
        var headers = ["Accept": "application/json", "Content-Type": "application/x-www-form-urlencoded"]
        headers["Authorization"] = client.authorization
        request.allHTTPHeaderFields = headers
        return request
    }
}

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

extension String {
    /// Whether the text is a `b64token` (RFC 6750, section 2.1), and thus a safe header value.
    var isBearerToken: Bool {
        let core = utf8.reversed().drop { $0 == UInt8(ascii: "=") }
        return !core.isEmpty
            && core.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default:
                    "-._~+/".utf8.contains(byte)
                }
            }
    }
}

/// The content of a bearer challenge (RFC 6750, section 3).
struct BearerChallenge: Equatable {
    /// The `error` parameter of the first Bearer challenge that has one.
    let error: String?

    /// Creates a challenge from the values of all `WWW-Authenticate` headers.
    init(_ values: [String]) {
        error =
            ChallengeParser.challenges(in: values).lazy
            .filter { $0.isScheme("Bearer") }
            .compactMap { $0["error"] }
            .first
    }
}
