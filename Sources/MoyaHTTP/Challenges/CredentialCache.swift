/// The protection spaces that a session has answered for. All its requests share them, so that no two count a nonce alike.
///
/// Before a request is sent, ``authorization(for:credential:side:origin:)`` may have an answer for it. When the response
/// asks for credentials, ``challenged(by:request:credential:side:origin:)`` says whether to send the request again. When it
/// does not, ``accepted(_:info:credential:side:origin:)`` is told. Between them the request keeps the answer that it was
/// sent with. Server and proxy are told apart by their ``AuthenticationSide``: one request may have to answer both, and
/// then has a ``ChallengedRequest`` for each.
///
/// Spaces with different credentials are different, also where their realm is the same.
package final class CredentialCache: Sendable {
    fileprivate struct Key: Hashable {
        let space: ProtectionSpaceKey
        let credential: UserCredential
    }

    fileprivate struct Entry {
        var responder: ChallengeResponder
        var lastUse: UInt64
    }

    /// A server or proxy, whatever the realm.
    fileprivate struct Site: Hashable {
        let side: AuthenticationSide
        let origin: Origin
    }

    fileprivate struct State {
        var entries: [Key: Entry] = [:]
        /// Of each site that has entries.
        var counts: [Site: NonceCounts] = [:]
        var clock: UInt64 = 0
    }

    private let limit: Int
    private let makeClientNonce: @Sendable () -> String
    private let state = Locked(State())

    /// - Parameters:
    ///   - limit: How many spaces are remembered: those that were used last.
    ///   - makeClientNonce: Makes a nonce that no one can foretell.
    package init(limit: Int = 128, makeClientNonce: @escaping @Sendable () -> String = ClientNonce.random) {
        self.limit = max(1, limit)
        self.makeClientNonce = makeClientNonce
    }

    /// How many spaces are remembered.
    package var count: Int { state.withLock { $0.entries.count } }

    /// Forgets all.
    package func removeAll() { state.withLock { $0 = State() } }

    /// What to send the request with, before there is a challenge. Nil for nothing.
    ///
    /// - Parameter origin: That of the request's URL, or the proxy's own.
    package func authorization(
        for request: ChallengedRequest,
        credential: UserCredential,
        side: AuthenticationSide = .server,
        origin: Origin
    ) -> ChallengeDecision? {
        guard count > 0 else { return nil }
        let clientNonce = makeClientNonce()
        return state.withLock { state -> ChallengeDecision? in
            var best: (key: Key, coverage: Int, lastUse: UInt64)?
            for (key, entry) in state.entries where key.credential == credential {
                guard key.space.side == side, key.space.origin == origin else { continue }
                guard let coverage = entry.responder.coverage(of: request) else { continue }
                if let best, (best.coverage, best.lastUse) > (coverage, entry.lastUse) { continue }
                best = (key, coverage, entry.lastUse)
            }
            guard let best else { return nil }
            return state.use(best.key, limit: limit) { $0.authorization(for: request, clientNonce: clientNonce) }
        }
    }

    /// What to do about a response that asks for credentials.
    package func challenged(
        by challenges: [AuthenticationChallenge],
        request: ChallengedRequest,
        credential: UserCredential,
        side: AuthenticationSide = .server,
        origin: Origin
    ) -> ChallengeDecision {
        guard let selection = ChallengeSelection(challenges) else { return .giveUp(.init(unsupported: challenges)) }
        let clientNonce = makeClientNonce()
        let space = ProtectionSpaceKey(side: side, origin: origin, realm: selection.realm)
        return state.withLock { state in
            state.use(Key(space: space, credential: credential), limit: limit) {
                $0.challenged(by: challenges, request: request, clientNonce: clientNonce)
            }
        }
    }

    /// Takes notice that the response is something else than 401, or 407 where a proxy was answered.
    ///
    /// - Parameter info: The values of ``AuthenticationSide/infoField``.
    /// - Returns: Whether the server has proved itself.
    @discardableResult
    package func accepted(
        _ request: ChallengedRequest,
        info: [String],
        credential: UserCredential,
        side: AuthenticationSide = .server,
        origin: Origin
    ) -> AuthenticationInfo.Proof {
        guard let answer = request.answer else { return .absent }
        let space = ProtectionSpaceKey(side: side, origin: origin, realm: answer.realm)
        return state.withLock { state in
            state.use(Key(space: space, credential: credential), limit: limit) { $0.accepted(request, info: info) }
        }
    }
}

extension CredentialCache.State {
    /// Calls with the responder of the space, a new one if there is none, and drops the one that was not used for longest.
    fileprivate mutating func use<R>(
        _ key: CredentialCache.Key,
        limit: Int,
        _ body: (inout ChallengeResponder) -> R
    ) -> R {
        clock &+= 1
        let new = ChallengeResponder(space: key.space, credential: key.credential)
        var entry = entries[key] ?? CredentialCache.Entry(responder: new, lastUse: clock)
        entry.lastUse = clock
        // Swapped and not copied, which would double them on each use.
        let site = CredentialCache.Site(side: key.space.side, origin: key.space.origin)
        var siteCounts = counts.removeValue(forKey: site) ?? NonceCounts()
        swap(&entry.responder.counts, &siteCounts)
        let result = body(&entry.responder)
        swap(&entry.responder.counts, &siteCounts)
        counts[site] = siteCounts
        entries[key] = entry
        if entries.count > limit { removeOldest() }
        return result
    }

    private mutating func removeOldest() {
        guard let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse })?.key else { return }
        entries[oldest] = nil
        let space = oldest.space
        if !entries.keys.contains(where: { $0.space.side == space.side && $0.space.origin == space.origin }) {
            counts[CredentialCache.Site(side: space.side, origin: space.origin)] = nil
        }
    }
}

/// Makes nonces for the client's side of Digest.
package enum ClientNonce {
    /// 128 random bits, as hexadecimal digits.
    @Sendable package static func random() -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) }.hexadecimal
    }
}
