import Foundation
import HTTPTypes

/// The protection spaces that a session has sent credentials to.
///
/// All requests share them, so that nonce counts are unique.
///
/// Call ``authorization(for:credential:side:origin:)`` before a request is sent, for preemptive credentials. If the
/// response has challenges, ``challenged(by:request:credential:side:origin:)`` decides whether to send the request
/// again; otherwise call ``accepted(_:info:credential:side:origin:)``. In between, the request keeps the
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
    package func accepted(
        _ request: ChallengedRequest,
        info: [String],
        credential: UserCredential,
        side: AuthenticationSide = .server,
        origin: Origin
    ) -> AuthenticationInfo.Proof {
        guard let response = request.challengeResponse else { return .absent }
        let space = ProtectionSpaceKey(side: side, origin: origin, realm: response.realm)
        return state.withLock { state in
            state.use(Key(space: space, credential: credential), limit: limit) { $0.accepted(request, info: info) }
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

/// A generator of client nonces for Digest.
package enum ClientNonce {
    /// Returns 128 random bits as hexadecimal digits.
    @Sendable package static func random() -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) }.hexadecimal
    }
}

/// The use counts of a server's nonces.
///
/// No two requests may have the same nonce and count (RFC 7616, section 3.4), even with different credentials,
/// since a server may send the same nonce to all.
///
/// Only the most recently used nonces are kept. The count of a removed nonce starts again, and the server responds
/// with `stale`.
struct NonceCounts: Equatable, Sendable {
    struct Use: Equatable, Sendable {
        let nonce: String
        var count: UInt32 = 0
        /// The client nonce of the first request, which `-sess` algorithms keep.
        let firstClientNonce: String
    }

    static let limit = 64
    /// The uses, from the least to the most recent.
    private var uses: [Use] = []

    /// Increments the count of a nonce and returns its use.
    mutating func next(nonce: String, clientNonce: String) -> Use {
        var use = Use(nonce: nonce, firstClientNonce: clientNonce)
        // Compares bytes, since strings are equal if they are canonically equivalent.
        if let index = uses.firstIndex(where: { $0.nonce.utf8.elementsEqual(nonce.utf8) }) {
            use = uses.remove(at: index)
        }
        // The count wraps around after 2^32 - 1 requests.
        use.count = use.count == .max ? 1 : use.count + 1
        uses.append(use)
        if uses.count > Self.limit { uses.removeFirst() }
        return use
    }
}

/// The party that requests credentials: the origin server or a proxy (RFC 9110, sections 11.6 and 11.7).
package enum AuthenticationSide: Hashable, Sendable {
    case server
    case proxy

    /// The side that challenges with a status; `nil` if the status is no challenge.
    init?(challengingWith status: Int) {
        switch status {
        case 401: self = .server
        case 407: self = .proxy
        default: return nil
        }
    }

    /// The status code of a challenge: 401 or 407.
    package var statusCode: Int { self == .server ? 401 : 407 }
    /// The header with the challenges.
    package var challengeField: HTTPField.Name { self == .server ? .wwwAuthenticate : .proxyAuthenticate }
    /// The header with the credentials.
    package var authorizationField: HTTPField.Name { self == .server ? .authorization : .proxyAuthorization }
    /// The header that may accompany accepted credentials.
    package var infoField: HTTPField.Name { self == .server ? .authenticationInfo : .proxyAuthenticationInfo }
}

/// A protection space: a part of a server, or a proxy, that accepts the same credentials (RFC 9110, section 11.5).
package struct ProtectionSpaceKey: Hashable, Sendable {
    package let side: AuthenticationSide
    /// The origin of the server, or of the proxy itself.
    package let origin: Origin
    package let realm: String

    package init(side: AuthenticationSide = .server, origin: Origin, realm: String) {
        self.side = side
        self.origin = origin
        self.realm = realm
    }
}

/// The known paths of a protection space.
struct ProtectionScope: Equatable, Sendable {
    static let limit = 32
    /// The path prefixes.
    private var prefixes: [String] = []

    init() {}

    /// Creates the scope of a Digest challenge (RFC 7616, section 3.3): the whole origin, or the prefixes listed in
    /// `domain`.
    ///
    /// URIs of other origins are ignored, since credentials are not sent to other origins. For a proxy, `domain`
    /// has no meaning.
    init(domain: [String], of space: ProtectionSpaceKey) {
        guard !domain.isEmpty, space.side == .server else {
            prefixes = [""]
            return
        }
        for uri in domain.prefix(Self.limit) {
            if uri.hasPrefix("/"), !uri.hasPrefix("//") {
                add(uri)
            } else if let url = URL(string: uri), Origin(url) == space.origin {
                add(url.path(percentEncoded: true))
            }
        }
    }

    /// Adds a path prefix; the oldest is removed if there are too many.
    mutating func add(_ prefix: String) {
        guard !prefixes.contains(where: { prefix.hasPrefix($0) }) else { return }
        prefixes.removeAll { $0.hasPrefix(prefix) }
        prefixes.append(prefix)
        if prefixes.count > Self.limit { prefixes.removeFirst() }
    }

    /// Returns the length of the longest prefix of the path, or nil if there is none.
    func coverage(ofPath path: String) -> Int? {
        prefixes.lazy.filter { path.utf8.starts(with: $0.utf8) }.map(\.utf8.count).max()
    }
}
