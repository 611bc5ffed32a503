import Foundation
import HTTPTypes

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Sends bearer tokens (RFC 6750), and gets new ones from an OAuth 2 server (RFC 6749).
///
/// The token endpoint must be reached by `https` (RFC 6749, section 3.2); that is not enforced, for the sake of tests
/// on one's own machine.
///
/// A refusal is a 401, unless its `WWW-Authenticate` has a bearer challenge with another error than `invalid_token`:
/// what a new token would not mend is no reason to get one. A 403 with `insufficient_scope` is none either.
public struct OAuth2Authenticator: Authenticator {
    /// How a new token is asked for.
    public enum Grant: Equatable, Sendable {
        /// With the refresh token of the credential (RFC 6749, section 6).
        case refreshToken
        /// As the client itself, without a user (RFC 6749, section 4.4). Begin with
        /// ``OAuth2Credential/toBeRequested``.
        case clientCredentials
    }

    private let tokenRequest: OAuth2TokenRequest
    private let origins: [URL]?
    private let leeway: TimeInterval
    private let now: @Sendable () -> Date
    private let onRefresh: @Sendable (OAuth2Credential) async -> Void

    /// Makes an authenticator.
    ///
    /// - Parameters:
    ///   - tokenURL: The token endpoint.
    ///   - client: Who asks.
    ///   - grant: How a new token is asked for.
    ///   - scope: What the token is to be good for; `nil` for what it was good for so far.
    ///   - origins: Where the token may be sent: URLs of which scheme, host and port count. Requests to other places go
    ///     out without it, also where there is no credential, and their refusals are left alone. With `nil` every request of the session gets the token:
    ///     give the origins if one session talks to several parties.
    ///   - leeway: How many seconds before it expires a token is refreshed; half of its lifetime, if that is shorter.
    ///   - onRefresh: Called with every new credential before the requests that wait for it go on: keep it there. The
    ///     interceptor has it by itself afterwards. The function must return, and requests that it makes are sent
    ///     without a token.
    public init(
        tokenURL: URL,
        client: OAuth2Client,
        grant: Grant = .refreshToken,
        scope: String? = nil,
        origins: [URL]? = nil,
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

    /// Makes an authenticator that is told the time.
    init(
        tokenRequest: OAuth2TokenRequest,
        origins: [URL]? = nil,
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

    /// Whether the request goes to one of the origins.
    public func appliesTo(_ urlRequest: URLRequest) -> Bool { isAllowed(urlRequest.url) }

    /// Sets the header `Authorization`, if the token may be sent there.
    ///
    /// - Throws: ``OAuth2Error/invalidAccessToken``, ``OAuth2Error/unsupportedTokenType(_:)``.
    public func apply(_ credential: OAuth2Credential, to urlRequest: inout URLRequest) throws {
        guard isAllowed(urlRequest.url) else { return }
        guard credential.tokenType.lowercased() == "bearer" else {
            throw OAuth2Error.unsupportedTokenType(credential.tokenType)
        }
        guard credential.accessToken.isBearerToken else { throw OAuth2Error.invalidAccessToken }
        urlRequest.setValue("Bearer \(credential.accessToken)", forHTTPHeaderField: "Authorization")
    }

    /// Asks the token endpoint for a new token.
    ///
    /// - Throws: ``OAuth2Error``; `URLError` if the exchange fails; `CancellationError` if the credential was set
    ///   meanwhile.
    public func refresh(_ credential: OAuth2Credential, for session: Session) async throws -> OAuth2Credential {
        let request = try tokenRequest.urlRequest(renewing: credential)
        let requested = now()
        // Whoever the endpoint may point to has no claim to what is in the request.
        let options = RequestOptions(redirectHandler: Redirector.doNotFollow)
        let (response, stream) = try await session.stream(for: request, options: options)
        var body = Data()
        for try await chunk in stream {
            guard body.count + chunk.count <= OAuth2TokenAnswer.maximumSize else {
                throw OAuth2Error.answerTooLarge(maximum: OAuth2TokenAnswer.maximumSize)
            }
            body.append(chunk)
        }
        let secrets = [credential.refreshToken, credential.accessToken, tokenRequest.client.secret]
        let answer = OAuth2TokenAnswer(status: response.statusCode, body: body, secrets: secrets.compactMap { $0 })
        let new = try answer.credential(renewing: credential, requested: requested, leeway: leeway)
        // After a log-out the tokens of before must not be kept.
        try Task.checkCancellation()
        await onRefresh(new)
        return new
    }

    /// Whether it is a 401 that a new token may mend (RFC 6750, section 3.1).
    public func didRefuse(_ attempt: RequestAttempt) -> Bool {
        guard case .response(401, let headers) = attempt.outcome, isAllowed(attempt.request.url) else { return false }
        let error = BearerChallenge(headers[values: .wwwAuthenticate]).error
        return error == nil || error == "invalid_token"
    }

    /// Whether the request's `Authorization` is the credential's token.
    public func isRequest(_ urlRequest: URLRequest, authenticatedWith credential: OAuth2Credential) -> Bool {
        urlRequest.value(forHTTPHeaderField: "Authorization") == "Bearer \(credential.accessToken)"
    }

    private func isAllowed(_ url: URL?) -> Bool {
        guard let origins else { return true }
        guard let url, let origin = Origin(url) else { return false }
        return origins.contains { Origin($0) == origin }
    }
}
