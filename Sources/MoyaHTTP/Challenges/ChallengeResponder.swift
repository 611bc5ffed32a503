/// Responds to the challenges of one protection space with one credential, and sends credentials preemptively where
/// that is possible.
///
/// The type has no side effects; client nonces are passed in.
///
/// A request responds once. A further challenge counts only if it is `stale`, which means that only the nonce was
/// wrong. Otherwise the credential is rejected; sending it again could lock accounts.
package struct ChallengeResponder: Equatable, Sendable, Redacted {
    /// The maximum number of times that a request is sent with credentials, where all but the last were stale.
    static let maximumResponses = 4

    package let space: ProtectionSpaceKey
    package let credential: UserCredential

    private var scope = ProtectionScope()
    /// The nonce counts of the server.
    ///
    /// The cache lends them, since other protection spaces use them, too.
    var counts = NonceCounts()
    /// The state for preemptive Digest credentials; nil until a response was accepted.
    private var digest: Digest?

    private struct Digest: Equatable, Sendable {
        var challenge: DigestChallenge
        let sessionStart: DigestResponse.SessionStart?
    }

    package init(space: ProtectionSpaceKey, credential: UserCredential) {
        self.space = space
        self.credential = credential
    }

    package var description: String { "responder for \"\(space.realm)\" of \(space.origin.host)" }

    /// Returns the length of the longest prefix of the protection space that covers the request's path, or nil if
    /// none does.
    package func coverage(of request: ChallengedRequest) -> Int? { scope.coverage(ofPath: request.path) }

    /// Returns the credentials to send before a challenge.
    ///
    /// The result is nil if no credentials have been accepted yet, or if the request is outside the protection
    /// space.
    package mutating func authorization(for request: ChallengedRequest, clientNonce: String) -> ChallengeDecision? {
        guard coverage(of: request) != nil else { return nil }
        guard let digest else { return basicResponse(number: 0) }
        return response(to: digest.challenge, in: digest.sessionStart, request, clientNonce: clientNonce, number: 0)
    }

    /// Returns the decision for a response with challenges.
    package mutating func challenged(
        by challenges: [AuthenticationChallenge],
        request: ChallengedRequest,
        clientNonce: String
    ) -> ChallengeDecision {
        guard let selection = ChallengeSelection(challenges) else { return .giveUp(.init(unsupported: challenges)) }
        if let response = request.challengeResponse, Self.isRefused(response, by: selection) {
            forget(response)
            return .giveUp(.credentialRefused(scheme: response.scheme))
        }
        let number = (request.challengeResponse?.number ?? 0) + 1
        switch selection {
        case .basic: return basicResponse(number: number)
        case .digest(let challenge):
            return response(to: challenge, in: nil, request, clientNonce: clientNonce, number: number)
        }
    }

    /// Records that the server accepted the credentials of a request, so that the next requests can send them
    /// preemptively.
    ///
    /// If the server's proof is wrong, the server is not trusted: nothing more is sent to it before the next
    /// challenge.
    ///
    /// - Parameters:
    ///   - request: The accepted request, with the credentials that it was sent with.
    ///   - values: The values of `Authentication-Info` or `Proxy-Authentication-Info`.
    /// - Returns: Whether the server has proved that it knows the password.
    package mutating func accepted(_ request: ChallengedRequest, info values: [String]) -> AuthenticationInfo.Proof {
        guard let response = request.challengeResponse else { return .absent }
        guard case .digest(let sent) = response.content else {
            if digest != nil { (digest, scope) = (nil, ProtectionScope()) }
            scope.add(space.side == .proxy ? "" : BasicAuthentication.scope(ofPath: request.path))
            return .absent
        }
        let info = AuthenticationInfo(values)
        let proof = info.proof(for: sent)
        guard proof != .wrong else {
            forget(response)
            return proof
        }
        // A late response must not restore an old nonce.
        guard info.nextNonce != nil || response.number > 0 || digest == nil else { return proof }
        var challenge = sent.challenge
        challenge.nonce = info.nextNonce ?? challenge.nonce
        let isSession = challenge.algorithm.isSession
        digest = Digest(challenge: challenge, sessionStart: isSession ? sent.sessionStart : nil)
        scope = ProtectionScope(domain: challenge.domain, of: space)
        return proof
    }

    /// Returns whether the challenge rejects the credential, and not only its form or nonce.
    private static func isRefused(_ response: ChallengeResponse, by selection: ChallengeSelection) -> Bool {
        guard response.number < maximumResponses else { return true }
        guard case .digest(let challenge) = selection, case .digest(let sent) = response.content else {
            // Preemptive credentials may have used the wrong scheme.
            return response.number > 0 || (response.scheme == selection.scheme && response.realm == selection.realm)
        }
        let isNewNonce = !challenge.nonce.utf8.elementsEqual(sent.challenge.nonce.utf8)
        // Not all servers mark a nonce as stale; the credential was right the last time.
        return response.number > 0
            ? !(challenge.isStale && isNewNonce) : !(isNewNonce || response.realm != challenge.realm)
    }

    private func basicResponse(number: Int) -> ChallengeDecision {
        do {
            let header = try BasicAuthentication.authorization(credential)
            return .respond(ChallengeResponse(realm: space.realm, number: number, content: .basic(header)))
        } catch {
            return .giveUp(.invalidCredential(error))
        }
    }

    private mutating func response(
        to challenge: DigestChallenge,
        in session: DigestResponse.SessionStart?,
        _ request: ChallengedRequest,
        clientNonce: String,
        number: Int
    ) -> ChallengeDecision {
        let algorithm = challenge.algorithm
        let bodyHash = request.bodyHash(by: algorithm.hash)
        if challenge.protection == .authInt, bodyHash == nil { return .needsBodyHash(algorithm.hash) }
        let use = counts.next(nonce: challenge.nonce, clientNonce: clientNonce)
        let start = session ?? .init(nonce: challenge.nonce, clientNonce: use.firstClientNonce)
        let response = DigestResponse(
            to: challenge,
            credential: credential,
            method: request.method,
            target: request.target,
            clientNonce: algorithm.isSession ? start.clientNonce : clientNonce,
            count: use.count,
            sessionStart: algorithm.isSession ? start : nil,
            bodyHash: bodyHash
        )
        return .respond(ChallengeResponse(realm: space.realm, number: number, content: .digest(response)))
    }

    /// Stops sending preemptive credentials, unless others have been accepted since.
    private mutating func forget(_ response: ChallengeResponse) {
        if case .digest(let sent) = response.content, let digest, digest.challenge.nonce != sent.challenge.nonce {
            return
        }
        digest = nil
        scope = ProtectionScope()
    }
}
