/// The protection spaces that a session has sent credentials to.
///
/// All requests share them, so that nonce counts are unique.
///
/// Call ``authorization(for:credential:side:origin:)`` before a request is sent, for preemptive credentials. If the
/// response has challenges, ``respond(to:request:credential:side:origin:)`` decides whether to send the request
/// again; otherwise call ``recordAcceptance(of:info:credential:side:origin:)``. In between, the request keeps the
/// credentials that it was sent with. ``AuthenticationSide`` distinguishes server and proxy: a request may have to
/// respond to both, and then has a ``ChallengedRequest`` for each.
///
/// Spaces with different credentials are different, even if the realm is the same.
package final class CredentialCache: Sendable {
    fileprivate struct Key: Hashable {
        let space: ProtectionSpaceKey
        let credential: UserCredential
    }

    fileprivate struct Entry {
        var responder: ChallengeResponder
        var lastUse: UInt64
    }

    /// A server or proxy, regardless of the realm.
    fileprivate struct Site: Hashable {
        let side: AuthenticationSide
        let origin: Origin
    }

    fileprivate struct State {
        var entries: [Key: Entry] = [:]
        /// The nonce counts of each site that has entries.
        var counts: [Site: NonceCounts] = [:]
        var clock: UInt64 = 0
    }

    private let limit: Int
    private let makeClientNonce: @Sendable () -> String
    private let state = Locked(State())

    /// Creates a cache.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of protection spaces; the least recently used ones are removed.
    ///   - makeClientNonce: Returns an unpredictable nonce.
    package init(limit: Int = 128, makeClientNonce: @escaping @Sendable () -> String = ClientNonce.random) {
        self.limit = max(1, limit)
        self.makeClientNonce = makeClientNonce
    }

    /// The number of protection spaces in the cache.
    package var count: Int { state.withLock { $0.entries.count } }

    /// Removes all protection spaces.
    package func removeAll() { state.withLock { $0 = State() } }

    /// Returns the credentials to send before a challenge, or nil.
    ///
    /// `origin` is that of the request's URL, or of the proxy.
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

    /// Returns the decision for a response with challenges.
    package func respond(
        to challenges: [AuthenticationChallenge],
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
                $0.respond(to: challenges, request: request, clientNonce: clientNonce)
            }
        }
    }

    /// Records a response with a status other than 401, or 407 for a proxy.
    ///
    /// - Parameters:
    ///   - request: The request with the credentials that it was sent with.
    ///   - info: The values of ``AuthenticationSide/infoField``.
    ///   - credential: The user's credential.
    ///   - side: Whether the server or a proxy accepted the credentials.
    ///   - origin: The origin of the request's URL, or of the proxy.
    /// - Returns: Whether the server has proved that it knows the password.
    @discardableResult
    package func recordAcceptance(
        of request: ChallengedRequest,
        info: [String],
        credential: UserCredential,
        side: AuthenticationSide = .server,
        origin: Origin
    ) -> AuthenticationInfo.Proof {
        guard let response = request.challengeResponse else { return .absent }
        let space = ProtectionSpaceKey(side: side, origin: origin, realm: response.realm)
        return state.withLock { state in
            state.use(Key(space: space, credential: credential), limit: limit) {
                $0.recordAcceptance(of: request, info: info)
            }
        }
    }
}

extension CredentialCache.State {
    /// Calls the closure with the responder of the space, creating it if needed, and removes the least recently
    /// used entry.
    fileprivate mutating func use<R>(
        _ key: CredentialCache.Key,
        limit: Int,
        _ body: (inout ChallengeResponder) -> R
    ) -> R {
        clock &+= 1
        let new = ChallengeResponder(space: key.space, credential: key.credential)
        var entry = entries[key] ?? CredentialCache.Entry(responder: new, lastUse: clock)
        entry.lastUse = clock
        // Swapped rather than copied, to avoid a copy on each use.
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
