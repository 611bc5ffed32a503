import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

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
