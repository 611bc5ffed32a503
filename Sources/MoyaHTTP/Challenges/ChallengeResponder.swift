/// Answers the challenges of one protection space with one credential, and knows when an answer may be sent before there is
/// a challenge. Pure: a client's nonces are passed in.
///
/// One request answers once. What comes after that counts only if it is `stale`, which says that nothing but the nonce was
/// wrong; otherwise the credential is refused, and sending it again would lock accounts.
package struct ChallengeResponder: Equatable, Sendable, Redacted {
    /// How many answers one request may send, where each was stale but the last.
    static let maximumAnswers = 4

    package let space: ProtectionSpaceKey
    package let credential: UserCredential

    private var scope = ProtectionScope()
    /// Those of the server. The cache lends them, since others need them too.
    var counts = NonceCounts()
    /// What answers before a challenge are made from; nil while none was accepted.
    private var digest: Digest?

    private struct Digest: Equatable, Sendable {
        var challenge: DigestChallenge
        let sessionStart: DigestAnswer.SessionStart?
    }

    package init(space: ProtectionSpaceKey, credential: UserCredential) {
        self.space = space
        self.credential = credential
    }

    package var description: String { "responder for \"\(space.realm)\" of \(space.origin.host)" }

    /// How well the protection space covers the request: the length of what its path begins with. Nil if it does not.
    package func coverage(of request: ChallengedRequest) -> Int? { scope.coverage(ofPath: request.path) }

    /// What to send the request with, before there is a challenge. Nil if nothing: no answer was accepted so far, or the
    /// request is outside of the space.
    package mutating func authorization(for request: ChallengedRequest, clientNonce: String) -> ChallengeDecision? {
        guard coverage(of: request) != nil else { return nil }
        guard let digest else { return basicAnswer(number: 0) }
        return answer(to: digest.challenge, in: digest.sessionStart, request, clientNonce: clientNonce, number: 0)
    }

    /// What to do about a response that asks for credentials.
    package mutating func challenged(
        by challenges: [AuthenticationChallenge],
        request: ChallengedRequest,
        clientNonce: String
    ) -> ChallengeDecision {
        guard let selection = ChallengeSelection(challenges) else { return .giveUp(.init(unsupported: challenges)) }
        if let answer = request.answer, Self.isRefused(answer, by: selection) {
            forget(answer)
            return .giveUp(.credentialRefused(scheme: answer.scheme))
        }
        let number = (request.answer?.number ?? 0) + 1
        switch selection {
        case .basic: return basicAnswer(number: number)
        case .digest(let challenge):
            return answer(to: challenge, in: nil, request, clientNonce: clientNonce, number: number)
        }
    }

    /// Takes notice that a request's answer was accepted, so that the next requests can be sent with one at once.
    ///
    /// - Parameter info: The values of `Authentication-Info` or `Proxy-Authentication-Info`.
    /// - Returns: Whether the server has proved itself. One whose proof is wrong is not to be trusted, and nothing more is
    ///   sent to it before it asks.
    package mutating func accepted(_ request: ChallengedRequest, info values: [String]) -> AuthenticationInfo.Proof {
        guard let answer = request.answer else { return .absent }
        guard case .digest(let sent) = answer.content else {
            if digest != nil { (digest, scope) = (nil, ProtectionScope()) }
            scope.add(space.side == .proxy ? "" : BasicAuthentication.scope(ofPath: request.path))
            return .absent
        }
        let info = AuthenticationInfo(values)
        let proof = info.proof(for: sent)
        guard proof != .wrong else {
            forget(answer)
            return proof
        }
        // One that comes late must not bring back an old nonce.
        guard info.nextNonce != nil || answer.number > 0 || digest == nil else { return proof }
        var challenge = sent.challenge
        challenge.nonce = info.nextNonce ?? challenge.nonce
        let isSession = challenge.algorithm.isSession
        digest = Digest(challenge: challenge, sessionStart: isSession ? sent.sessionStart : nil)
        scope = ProtectionScope(domain: challenge.domain, of: space)
        return proof
    }

    /// Whether the challenge says that the credential is wrong, and not only the answer's form or nonce.
    private static func isRefused(_ answer: ChallengeAnswer, by selection: ChallengeSelection) -> Bool {
        guard answer.number < maximumAnswers else { return true }
        guard case .digest(let challenge) = selection, case .digest(let sent) = answer.content else {
            // An answer that nobody asked for may have been of the wrong kind.
            return answer.number > 0 || (answer.scheme == selection.scheme && answer.realm == selection.realm)
        }
        let isNewNonce = !challenge.nonce.utf8.elementsEqual(sent.challenge.nonce.utf8)
        // Not all servers say that a nonce is stale; the credential was right the last time.
        return answer.number > 0 ? !(challenge.isStale && isNewNonce) : !(isNewNonce || answer.realm != challenge.realm)
    }

    private func basicAnswer(number: Int) -> ChallengeDecision {
        do {
            let header = try BasicAuthentication.authorization(credential)
            return .answer(ChallengeAnswer(realm: space.realm, number: number, content: .basic(header)))
        } catch {
            return .giveUp(.invalidCredential(error))
        }
    }

    private mutating func answer(
        to challenge: DigestChallenge,
        in session: DigestAnswer.SessionStart?,
        _ request: ChallengedRequest,
        clientNonce: String,
        number: Int
    ) -> ChallengeDecision {
        let algorithm = challenge.algorithm
        let bodyHash = request.bodyHash(by: algorithm.hash)
        if challenge.protection == .authInt, bodyHash == nil { return .needsBodyHash(algorithm.hash) }
        let use = counts.next(nonce: challenge.nonce, clientNonce: clientNonce)
        let start = session ?? .init(nonce: challenge.nonce, clientNonce: use.firstClientNonce)
        let answer = DigestAnswer(
            to: challenge,
            credential: credential,
            method: request.method,
            target: request.target,
            clientNonce: algorithm.isSession ? start.clientNonce : clientNonce,
            count: use.count,
            sessionStart: algorithm.isSession ? start : nil,
            bodyHash: bodyHash
        )
        return .answer(ChallengeAnswer(realm: space.realm, number: number, content: .digest(answer)))
    }

    /// Sends nothing more before it is asked for, unless something else has been accepted since.
    private mutating func forget(_ answer: ChallengeAnswer) {
        if case .digest(let sent) = answer.content, let digest, digest.challenge.nonce != sent.challenge.nonce {
            return
        }
        digest = nil
        scope = ProtectionScope()
    }
}
