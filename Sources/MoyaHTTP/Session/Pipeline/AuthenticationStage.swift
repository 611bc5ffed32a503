import Foundation
import HTTPTypes

/// Answers the challenges of a server, and of a proxy (RFC 9110, section 11), with the credentials that the session or
/// the request has, and sends credentials in advance where they were accepted before.
struct AuthenticationStage: ExchangeStage {
    let credentials: SessionCredentials

    nonisolated(nonsending) func respond(
        to request: TransportRequest,
        context: RequestContext,
        next: ExchangeHandler
    ) async throws -> TransportResponse {
        // The request's own credential must not go to another origin.
        let requestCredential = context.attemptScope.hasCrossedOrigin ? nil : context.record.credential
        guard requestCredential != nil || !credentials.isEmpty else {
            // In the usual case, which must cost nothing, no credential is sent in advance.
            var response = try await next(request, context)
            if AuthenticationSide(challengingWith: response.status) != nil {
                try await answerFirstChallenge(from: &response, to: request, context, next)
            }
            return response
        }
        return try await sendWithCredential(request, requestCredential: requestCredential, context: context, next: next)
    }

    /// Answers the first challenge to a request that was sent without credentials, and those that follow it.
    @inline(never)
    private nonisolated(nonsending) func answerFirstChallenge(
        from response: inout TransportResponse,
        to request: TransportRequest,
        _ context: RequestContext,
        _ next: ExchangeHandler
    ) async throws {
        let authentication = ExchangeAuthentication(request, credentials: credentials, requestCredential: nil)
        try await authentication.answerChallenges(from: &response, to: request, context, next)
    }

    /// Sends a request with the credentials that may be sent in advance, and answers the challenges to it.
    @inline(never)
    private nonisolated(nonsending) func sendWithCredential(
        _ request: TransportRequest,
        requestCredential: RequestCredential?,
        context: RequestContext,
        next: ExchangeHandler
    ) async throws -> TransportResponse {
        var authentication = ExchangeAuthentication(
            request,
            credentials: credentials,
            requestCredential: requestCredential
        )
        var request = request
        if let requestCredential, request.url.scheme?.lowercased() == "https" {
            request.tunnelUser = requestCredential.user
        }
        try await authentication.prepare(&request)
        var response = try await next(request, context)
        try await authentication.answerChallenges(from: &response, to: request, context, next)
        return response
    }
}

/// The challenges of a server and of a proxy to one request, and the credentials that were sent.
private struct ExchangeAuthentication {
    private let credentials: SessionCredentials
    private let requestCredential: RequestCredential?
    private let body: HTTPBody?
    private let url: URL
    private var parties: [Party]

    /// A server or a proxy, and the credential that was sent to it.
    private struct Party {
        let side: AuthenticationSide
        let origin: Origin
        var request: ChallengedRequest
        var user: UserCredential?
    }

    /// - Parameters:
    ///   - request: The request.
    ///   - credentials: The credentials of the session.
    ///   - requestCredential: The credential that came with the request; `nil` if it must not be sent.
    init(_ request: TransportRequest, credentials: SessionCredentials, requestCredential: RequestCredential?) {
        self.credentials = credentials
        self.requestCredential = requestCredential
        body = request.body
        url = request.url
        parties = []
    }

    // A computed property, because few requests need the origin.
    private var origin: Origin? { Origin(url) }

    /// Adds the credential that may be sent before there is a challenge.
    mutating func prepare(_ request: inout TransportRequest) async throws {
        guard let origin, request.headers[.authorization] == nil else { return }
        let users = requestCredential.map { [$0.user] } ?? credentials.rememberedUsers(of: .server, at: origin)
        for user in users {
            var party = makeParty(.server, for: request, origin)
            var decision = credentials.cache.authorization(for: party.request, credential: user, origin: origin)
            if case .needsBodyHash(let hash) = decision {
                guard try await hashBody(by: hash, for: &party) else { return }
                decision = credentials.cache.authorization(for: party.request, credential: user, origin: origin)
            }
            guard case .respond(let answer) = decision else { continue }
            party.request.challengeResponse = answer
            party.user = user
            request.headers.set(.authorization, answer.headerText)
            request.serverUser = user
            parties = [party]
            return
        }
    }

    /// Sends a request again as long as its responses are challenges that can be answered, and replaces the response by the
    /// last one.
    consuming func answerChallenges(
        from response: inout TransportResponse,
        to request: TransportRequest,
        _ context: RequestContext,
        _ next: ExchangeHandler
    ) async throws {
        var request = request
        while let scheme = try await answerChallenge(in: response, with: &request) {
            await response.dropBody()
            context.events?.report(.authenticating(scheme: scheme))
            response = try await next(request, context)
        }
    }

    /// Adds a credential to a request whose response is a challenge that can be answered.
    ///
    /// - Returns: The scheme of the challenge; `nil` if the response is final.
    /// - Throws: `URLError.badServerResponse` if the server has not proved that it knows the password (RFC 7616,
    ///   section 3.5).
    private mutating func answerChallenge(
        in response: TransportResponse,
        with request: inout TransportRequest
    ) async throws -> String? {
        let side = AuthenticationSide(challengingWith: response.status)
        try rememberAcceptedCredentials(response, challenger: side, url: request.url)
        guard let side, let origin else { return nil }
        let challenges = ChallengeParser.challenges(in: response.headers[storable: side.challengeField])
        guard let realm = ChallengeSelection(challenges)?.realm else { return nil }
        // The stage does not know the proxy. A server that pretends to be a proxy must not get the credentials of a real
        // one, so each origin counts as having a separate proxy.
        let challenger =
            side == .server ? origin : Origin(scheme: "proxy of \(origin.scheme)", host: origin.host, port: origin.port)
        let space = ProtectionSpaceKey(side: side, origin: challenger, realm: realm)

        var party = parties.first { $0.side == side } ?? makeParty(side, for: request, challenger)
        guard
            let user = party.user ?? requestCredential?.user
                ?? credentials.credential(for: space, scheme: challenges.first?.scheme ?? "")
        else { return nil }
        party.user = user

        var decision = credentials.cache.respond(
            to: challenges,
            request: party.request,
            credential: user,
            side: side,
            origin: challenger
        )
        if case .needsBodyHash(let hash) = decision, try await hashBody(by: hash, for: &party) {
            decision = credentials.cache.respond(
                to: challenges,
                request: party.request,
                credential: user,
                side: side,
                origin: challenger
            )
        }
        guard case .respond(let answer) = decision, body?.isRepeatable ?? true else {
            if case .giveUp(.credentialRefused) = decision { credentials.forget(user, for: space) }
            return nil
        }
        party.request.challengeResponse = answer
        request.headers.set(side.authorizationField, answer.headerText)
        switch side {
        case .server: request.serverUser = user
        case .proxy: request.proxyUser = user
        }
        parties.removeAll { $0.side == side }
        parties.append(party)
        return answer.scheme
    }

    /// Remembers the accepted credentials: a party that does not challenge the request again has accepted its credential.
    private func rememberAcceptedCredentials(_ response: TransportResponse, challenger: AuthenticationSide?, url: URL)
        throws
    {
        // A proxy that challenges the request has not passed it on, and no server has seen a request that the cache has answered.
        guard challenger != .proxy, [.network, .revalidated].contains(response.source) else { return }
        for party in parties where party.side != challenger {
            guard let user = party.user, let answer = party.request.challengeResponse else { continue }
            let proof = credentials.cache.recordAcceptance(
                of: party.request,
                info: response.headers[storable: party.side.infoField],
                credential: user,
                side: party.side,
                origin: party.origin
            )
            guard proof != .wrong else {
                throw URLError.make(
                    .badServerResponse,
                    url: url,
                    reason: "The server has not proved that it knows the password (rspauth; RFC 7616, section 3.5)."
                )
            }
            if requestCredential?.isRemembered != false {
                let space = ProtectionSpaceKey(side: party.side, origin: party.origin, realm: answer.realm)
                credentials.remember(user, for: space)
            }
        }
    }

    private func makeParty(
        _ side: AuthenticationSide,
        for request: TransportRequest,
        _ origin: Origin
    ) -> Party {
        let method = request.method.rawValue
        let challenged: ChallengedRequest
        switch side {
        case .server:
            challenged = ChallengedRequest(method: method, url: request.url, hasBody: body != nil)
        case .proxy:
            // RFC 9112, section 3.2.2: to a proxy the target is the whole URL.
            challenged = ChallengedRequest(method: method, target: request.url.absoluteTarget, hasBody: body != nil)
        }
        return Party(side: side, origin: origin, request: challenged)
    }

    /// Returns whether the body could be hashed, and can still be sent.
    private func hashBody(by hash: DigestHash, for party: inout Party) async throws -> Bool {
        guard let body, body.isRepeatable else { return false }
        party.request.setBodyHash(try await body.hash(by: hash), by: hash)
        return true
    }
}
