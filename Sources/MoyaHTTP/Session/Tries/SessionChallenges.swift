import Foundation
import HTTPTypes

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The challenges of a server, and of a proxy, to one request of one hop, and how they are answered.
struct SessionChallenges {
    private let credentials: SessionCredentials
    private let own: RequestCredential?
    private let body: HTTPBody?
    private let url: URL
    private var parties: [Party]

    /// Who may ask, and what it was told.
    private struct Party {
        let side: AuthenticationSide
        let origin: Origin
        var request: ChallengedRequest
        var user: UserCredential?
    }

    /// - Parameters:
    ///   - own: What came with the request; nil where the request is away from its origin.
    init(_ request: TransportRequest, credentials: SessionCredentials, own: RequestCredential?) {
        self.credentials = credentials
        self.own = own
        body = request.body
        url = request.url
        parties = []
    }

    /// Made where it is asked for, which it seldom is.
    private var origin: Origin? { Origin(url) }

    /// Whether there is nothing to be sent before there is a challenge: the usual case, which is to cost nothing.
    private var isIdle: Bool { own == nil && credentials.isEmpty }

    /// Adds what may be sent before there is a challenge.
    mutating func prepare(_ request: inout TransportRequest) async throws {
        guard !isIdle, let origin, request.headers[.authorization] == nil else { return }
        let users = own.map { [$0.user] } ?? credentials.remembered(.server, origin)
        for user in users {
            var party = makeParty(.server, for: request, origin)
            var decision = credentials.cache.authorization(for: party.request, credential: user, origin: origin)
            if case .needsBodyHash(let hash) = decision {
                guard try await hashBody(by: hash, for: &party) else { return }
                decision = credentials.cache.authorization(for: party.request, credential: user, origin: origin)
            }
            guard case .answer(let answer) = decision else { continue }
            party.request.answer = answer
            party.user = user
            request.headers[.authorization] = answer.header
            parties = [party]
            return
        }
    }

    /// Looks at a response. If it is a challenge that can be answered, the answer is put into the request, which is to be sent
    /// once more.
    ///
    /// - Returns: The scheme of the answer, `nil` if the response is to be taken as it is.
    /// - Throws: `URLError.badServerResponse` from a server that has not proved that it knows the password.
    mutating func responded(
        _ response: TransportResponse,
        to request: inout TransportRequest
    ) async throws -> String? {
        let side: AuthenticationSide? =
            switch response.status {
            case 401: .server
            case 407: .proxy
            default: nil
            }
        try takeNotice(of: response, except: side, url: request.url)
        guard let side, let origin else { return nil }
        let challenges = ChallengeParser.challenges(in: response.headers[values: side.challengeField])
        guard let realm = ChallengeSelection(challenges)?.realm else { return nil }
        // Which proxy it is the request does not tell. It may be none at all but a server that says so, and must not get
        // what another one was told: so each origin has a proxy of its own.
        let asker =
            side == .server ? origin : Origin(scheme: "proxy of \(origin.scheme)", host: origin.host, port: origin.port)
        let space = ProtectionSpaceKey(side: side, origin: asker, realm: realm)

        var party = parties.first { $0.side == side } ?? makeParty(side, for: request, asker)
        guard
            let user = party.user ?? own?.user
                ?? credentials.credential(for: space, scheme: challenges.first?.scheme ?? "")
        else { return nil }
        party.user = user

        var decision = credentials.cache.challenged(
            by: challenges,
            request: party.request,
            credential: user,
            side: side,
            origin: asker
        )
        if case .needsBodyHash(let hash) = decision, try await hashBody(by: hash, for: &party) {
            decision = credentials.cache.challenged(
                by: challenges,
                request: party.request,
                credential: user,
                side: side,
                origin: asker
            )
        }
        guard case .answer(let answer) = decision, body?.isRepeatable ?? true else {
            if case .giveUp(.credentialRefused) = decision { credentials.forget(user, for: space) }
            return nil
        }
        party.request.answer = answer
        request.headers[side.authorizationField] = answer.header
        if side == .proxy { request.proxyUser = user }
        parties.removeAll { $0.side == side }
        parties.append(party)
        return answer.scheme
    }

    /// What was answered, and is not asked for again, was accepted.
    private func takeNotice(of response: TransportResponse, except asking: AuthenticationSide?, url: URL) throws {
        // A proxy that asks has not passed the request on.
        guard asking != .proxy else { return }
        for party in parties where party.side != asking {
            guard let user = party.user, let answer = party.request.answer else { continue }
            let proof = credentials.cache.accepted(
                party.request,
                info: response.headers[values: party.side.infoField],
                credential: user,
                side: party.side,
                origin: party.origin
            )
            guard proof != .wrong else {
                throw URLError.exchange(
                    .badServerResponse,
                    url: url,
                    reason: "The server does not know the password that it asked for (rspauth; RFC 7616, section 3.5)."
                )
            }
            if own?.isRemembered != false {
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
            let target = request.url.absoluteString.prefix { $0 != "#" }
            challenged = ChallengedRequest(method: method, target: String(target), hasBody: body != nil)
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
