import Foundation
import HTTPTypes

/// An authenticator that sends bearer tokens (RFC 6750) and gets them from an OAuth 2 server (RFC 6749).
///
/// The token endpoint must use `https` (RFC 6749, section 3.2). This is not enforced, to allow tests on the local
/// machine.
///
/// A status of 401 rejects the token, unless `WWW-Authenticate` has a bearer challenge with an error other than
/// `invalid_token`, which a new token would not resolve. A 403 with `insufficient_scope` does not reject the token
/// either.
public struct OAuth2Authenticator: Authenticator {
    /// The grant with which a token is requested.
    public enum Grant: Equatable, Sendable {
        /// The refresh token of the credential (RFC 6749, section 6).
        case refreshToken
        /// The credentials of the client, without a user (RFC 6749, section 4.4).
        ///
        /// Start with ``OAuth2Credential/toBeRequested``.
        case clientCredentials
    }

    private let tokenRequest: OAuth2TokenRequest
    private let origins: [URL]
    private let leeway: TimeInterval
    private let now: @Sendable () -> Date
    private let onRefresh: @Sendable (OAuth2Credential) async -> Void

    /// Creates an authenticator.
    ///
    ///     OAuth2Authenticator(tokenURL: tokenURL, client: .public(id: "app"), origins: [GitHub.zen.baseURL])
    ///
    /// - Parameters:
    ///   - tokenURL: The token endpoint.
    ///   - client: The client that requests the token.
    ///   - grant: The grant with which a token is requested.
    ///   - scope: The scope of the token; `nil` to keep the current scope.
    ///   - origins: The origins that receive the token, as URLs of which only scheme, host and port are used, such as the
    ///     `baseURL` of a target. Requests to other origins are sent without it, even if there is no credential, and their
    ///     responses are ignored. A redirect to another origin is followed without the token, even to one of these.
    ///   - leeway: The number of seconds before its expiration that a token is refreshed, but at most half of its
    ///     lifetime.
    ///   - onRefresh: A function that stores a new credential. It is called before the waiting requests continue;
    ///     the interceptor uses the credential afterwards. The function must return. Its own requests are sent
    ///     without a token.
    public init(
        tokenURL: URL,
        client: OAuth2Client,
        grant: Grant = .refreshToken,
        scope: String? = nil,
        origins: [URL],
        leeway: TimeInterval = OAuth2Credential.defaultLeeway,
        onRefresh: @escaping @Sendable (OAuth2Credential) async -> Void = { _ in }
    ) {
        self.init(
            tokenRequest: OAuth2TokenRequest(url: tokenURL, client: client, grant: grant, scope: scope),
            origins: origins,
            leeway: leeway,
            now: { Date() },
            onRefresh: onRefresh
        )
    }

    /// Unavailable: the token was sent to every origin of the session.
    @available(
        *,
        unavailable,
        message: "Add origins: the URLs of the servers that get the token, such as [GitHub.zen.baseURL]."
    )
    public init(
        tokenURL: URL,
        client: OAuth2Client,
        grant: Grant = .refreshToken,
        scope: String? = nil,
        leeway: TimeInterval = OAuth2Credential.defaultLeeway,
        onRefresh: @escaping @Sendable (OAuth2Credential) async -> Void = { _ in }
    ) {
        self.init(
            tokenURL: tokenURL,
            client: client,
            grant: grant,
            scope: scope,
            origins: [],
            leeway: leeway,
            onRefresh: onRefresh
        )
    }

    /// Creates an authenticator with a custom clock.
    init(
        tokenRequest: OAuth2TokenRequest,
        origins: [URL],
        leeway: TimeInterval = OAuth2Credential.defaultLeeway,
        now: @escaping @Sendable () -> Date,
        onRefresh: @escaping @Sendable (OAuth2Credential) async -> Void = { _ in }
    ) {
        self.tokenRequest = tokenRequest
        self.origins = origins
        self.leeway = leeway
        self.now = now
        self.onRefresh = onRefresh
    }

    /// Returns whether the request goes to one of the origins.
    public func appliesTo(_ urlRequest: URLRequest) -> Bool { isAllowed(urlRequest.url) }

    /// Sets the `Authorization` header, if the origin may receive the token.
    ///
    /// - Throws: ``OAuth2Error/invalidAccessToken`` or ``OAuth2Error/unsupportedTokenType(_:)``.
    public func apply(_ credential: OAuth2Credential, to urlRequest: inout URLRequest) throws {
        guard isAllowed(urlRequest.url) else { return }
        guard credential.tokenType.lowercased() == "bearer" else {
            throw OAuth2Error.unsupportedTokenType(credential.tokenType)
        }
        guard credential.accessToken.isBearerToken else { throw OAuth2Error.invalidAccessToken }
        urlRequest.setValue("Bearer \(credential.accessToken)", forHTTPHeaderField: "Authorization")
    }

    /// Requests a new token from the token endpoint.
    ///
    /// - Throws: ``OAuth2Error``; `URLError` if the exchange fails; `CancellationError` if the credential was set
    ///   in the meantime.
    public func refresh(_ credential: OAuth2Credential, for session: Session) async throws -> OAuth2Credential {
        let request = try tokenRequest.urlRequest(renewing: credential)
        let requested = now()
        // The request contains secrets, which must not be sent to a redirect target.
        let settings = RequestSettings(redirectHandler: Redirector.doNotFollow)
        let (response, stream) = try await session.stream(for: request, record: RequestRecord(), settings: settings)
        var body = Data()
        for try await chunk in stream {
            guard body.count + chunk.count <= OAuth2TokenResponse.maximumSize else {
                throw OAuth2Error.responseTooLarge(maximum: OAuth2TokenResponse.maximumSize)
            }
            body.append(chunk)
        }
        let secrets = [credential.refreshToken, credential.accessToken, tokenRequest.client.secret]
        let answer = OAuth2TokenResponse(status: response.statusCode, body: body, secrets: secrets.compactMap { $0 })
        let new = try answer.credential(renewing: credential, requested: requested, leeway: leeway)
        // After a logout, the old tokens must not be stored.
        try Task.checkCancellation()
        await onRefresh(new)
        return new
    }

    /// Returns whether the response is a 401 that a new token may resolve (RFC 6750, section 3.1).
    public func didRefuse(_ attempt: RequestAttempt) -> Bool {
        guard case .response(401, let headers) = attempt.outcome, isAllowed(attempt.request.url) else { return false }
        let error = BearerChallenge(headers[values: .wwwAuthenticate]).error
        return error == nil || error == "invalid_token"
    }

    /// Returns whether the request's `Authorization` contains this token.
    public func isRequest(_ urlRequest: URLRequest, authenticatedWith credential: OAuth2Credential) -> Bool {
        urlRequest.value(forHTTPHeaderField: "Authorization") == "Bearer \(credential.accessToken)"
    }

    private func isAllowed(_ url: URL?) -> Bool {
        guard let url, let origin = Origin(url) else { return false }
        return origins.contains { Origin($0) == origin }
    }
}
