#if NIO && !canImport(Darwin)
import Foundation
import HTTPTypes

// The authentication to an HTTP proxy (RFC 9110, section 11.7), as ``HTTPTransport`` describes it: for CONNECT
// (``ConnectHandshake``) and for requests in absolute form. A 407 that needs another credential goes to the session.
extension HTTPProxy {
    /// Returns the credentials to send before there is a challenge; without a credential, the result has no header.
    ///
    /// It is a response that the proxy has accepted before, or the configured credential by Basic.
    func authorization(for request: ChallengedRequest) -> ProxyAuthorization {
        var authorization = ProxyAuthorization(request: request)
        guard let user = configured ?? accepted.withLock({ $0 }) else { return authorization }
        authorization.user = user
        switch cache.authorization(for: request, credential: user, side: .proxy, origin: origin) {
        case .respond(let response): authorization.request.challengeResponse = response
        // The body has not been hashed: the proxy has to send a challenge.
        case .needsBodyHash, .giveUp: break
        case nil:
            guard configured != nil, let basic = try? BasicAuthentication.authorization(user) else { break }
            authorization.request.challengeResponse = .init(realm: "", number: 0, content: .basic(basic))
            authorization.isFirst = true
        }
        return authorization
    }

    /// Adds the response to a challenge.
    ///
    /// - Parameters:
    ///   - values: The values of `Proxy-Authenticate`.
    ///   - authorization: The credentials that the request was sent with.
    /// - Returns: The hash of the body that is required first, if any.
    /// - Throws: The reason why there is no response to the challenge.
    func respond(
        to values: [String],
        with authorization: inout ProxyAuthorization
    ) throws(ProxyError) -> DigestHash? {
        let challenges = ChallengeParser.challenges(in: values)
        guard configured != nil || storage != nil else { throw .authenticationRequired }
        guard let selection = ChallengeSelection(challenges) else {
            throw configured == nil ? .authenticationRequired : ProxyError(.init(unsupported: challenges))
        }
        if authorization.isFirst {
            if case .basic = selection { throw .credentialRefused }
            authorization.request.challengeResponse = nil
            authorization.isFirst = false
        }
        let space = ProtectionSpaceKey(side: .proxy, origin: origin, realm: selection.realm)
        guard let user = authorization.user ?? storage?.user(for: space, scheme: selection.scheme) else {
            throw .authenticationRequired
        }
        authorization.user = user
        let decision = cache.respond(
            to: challenges,
            request: authorization.request,
            credential: user,
            side: .proxy,
            origin: origin
        )
        switch decision {
        case .respond(let response): authorization.request.challengeResponse = response
        case .needsBodyHash(let hash): return hash
        case .giveUp(let reason):
            accepted.withLock { if $0 == user { $0 = nil } }
            throw ProxyError(reason)
        }
        return nil
    }

    /// Records that the proxy has accepted the credentials, so that they are sent at once with the next request.
    ///
    /// - Parameters:
    ///   - authorization: The credentials that the request was sent with.
    ///   - values: The values of `Proxy-Authentication-Info`.
    /// - Throws: ``ProxyError/notAuthentic``.
    func accept(_ authorization: ProxyAuthorization, info values: [String]) throws(ProxyError) {
        guard let user = authorization.user, !authorization.isFirst else { return }
        let proof = cache.recordAcceptance(
            of: authorization.request,
            info: values,
            credential: user,
            side: .proxy,
            origin: origin
        )
        guard proof != .wrong else { throw .notAuthentic }
        if configured == nil { accepted.withLock { $0 = user } }
    }

    // MARK: Requests in absolute form

    /// Sends a request in absolute form with credentials for the proxy, and sends it again as long as there is a response to
    /// the challenge of the proxy.
    ///
    /// - Returns: The first response that is not such a challenge. It is a 407 if there is no credential, so that the
    ///   session can use another one, or if the body cannot be sent again.
    /// - Throws: `URLError.userAuthenticationRequired` if the proxy does not accept the configured credential.
    nonisolated(nonsending) func send(
        _ request: TransportRequest,
        by send: nonisolated(nonsending) (TransportRequest) async throws -> TransportResponse
    ) async throws -> TransportResponse {
        guard request.headers[.proxyAuthorization] == nil else { return try await send(request) }
        let clock = ContinuousClock()
        let start = clock.now
        let exchangeTimeout = request.exchangeTimeout
        var request = request
        var authorization = authorization(
            for: ChallengedRequest(
                method: request.method.rawValue,
                target: request.url.absoluteTarget,
                hasBody: request.body != nil
            )
        )
        while true {
            request.headers[fields: .proxyAuthorization] = authorization.field.map { [$0] } ?? []
            var response = try await send(request)
            guard response.status == 407 else {
                try check(request) { () throws(ProxyError) in
                    try accept(authorization, info: response.headers[storable: .proxyAuthenticationInfo])
                }
                return response
            }
            guard try await respond(to: response, of: request, with: &authorization),
                request.isBodyRepeatable
            else { return response }
            await response.dropBody()
            request.setTimeLeft(max(.milliseconds(1), exchangeTimeout - start.duration(to: clock.now)))
        }
    }

    /// Adds the response to the challenge of a 407.
    ///
    /// - Returns: Whether there is a credential.
    private nonisolated(nonsending) func respond(
        to response: TransportResponse,
        of request: TransportRequest,
        with authorization: inout ProxyAuthorization
    ) async throws -> Bool {
        let values = response.headers[storable: .proxyAuthenticate]
        do {
            guard let hash = try respond(to: values, with: &authorization) else { return true }
            guard let body = request.body, body.isRepeatable else { return false }
            authorization.request.setBodyHash(try await body.hash(by: hash), by: hash)
            return try respond(to: values, with: &authorization) == nil
        } catch ProxyError.authenticationRequired {
            return false
        } catch let error as ProxyError {
            throw URLError(connectionError: ProxyFailure(address, error), url: request.url)
        }
    }

    private func check(_ request: TransportRequest, _ body: () throws(ProxyError) -> Void) throws(URLError) {
        do throws(ProxyError) {
            try body()
        } catch {
            throw URLError(connectionError: ProxyFailure(address, error), url: request.url)
        }
    }
}

/// The credentials that a request to a proxy is sent with.
struct ProxyAuthorization: Sendable, Redacted {
    var request: ChallengedRequest
    var user: UserCredential?
    /// Whether Basic was chosen without a challenge.
    var isFirst = false

    init(request: ChallengedRequest) { self.request = request }

    /// `Proxy-Authorization`.
    var field: HTTPField? {
        request.challengeResponse.map { HTTPField(name: .proxyAuthorization, value: $0.headerText) }
    }
}
#endif
