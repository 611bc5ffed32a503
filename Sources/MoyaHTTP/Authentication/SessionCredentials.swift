import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A user name and a password that came with one request.
package struct RequestCredential: Equatable, Sendable {
    let user: UserCredential
    /// Whether the session remembers it for other requests, once it was accepted.
    let isRemembered: Bool

    /// Nil for a credential of another kind, a certificate for example: it has no name.
    init?(_ credential: URLCredential) {
        guard let name = credential.user else { return nil }
        user = UserCredential(user: name, password: credential.password ?? "")
        isRemembered = credential.persistence != .none
    }
}

/// The user names and passwords that a session knows: those that its requests brought along to be remembered, and those of
/// the configuration's `urlCredentialStorage`.
final class SessionCredentials: Sendable {
    /// The answers that were given, with their nonces.
    let cache = CredentialCache()

    private let storage: URLCredentialStorage?
    private let remembered = Locked<[(space: ProtectionSpaceKey, user: UserCredential)]>([])
    /// So many are remembered: those that were accepted last.
    private static let limit = 128

    init(_ storage: URLCredentialStorage?) { self.storage = storage }

    /// Whether there can be one to be sent before there is a challenge.
    var isEmpty: Bool { remembered.withLock { $0.isEmpty } }

    /// Those that were accepted by a server or proxy, the last one first.
    func remembered(_ side: AuthenticationSide, _ origin: Origin) -> [UserCredential] {
        remembered.withLock { all in
            all.reversed().filter { $0.space.side == side && $0.space.origin == origin }.map(\.user)
        }
    }

    /// The one for a protection space.
    func credential(for space: ProtectionSpaceKey, scheme: String) -> UserCredential? {
        if let known = remembered.withLock({ $0.last { $0.space == space }?.user }) { return known }
        guard let storage, space.side == .server else { return nil }
        let isSecure = space.origin.scheme == "https"
        let wanted = URLProtectionSpace(
            host: space.origin.host,
            port: space.origin.port,
            protocol: isSecure ? "https" : "http",
            realm: space.realm,
            authenticationMethod: scheme.lowercased() == "digest"
                ? NSURLAuthenticationMethodHTTPDigest : NSURLAuthenticationMethodHTTPBasic
        )
        #if canImport(FoundationNetworking)
            // Foundation on Linux tells spaces apart by their identity, so that only the one it was given finds anything.
            let known = storage.allCredentials.keys.first { $0.isSame(as: wanted) } ?? wanted
        #else
            let known = wanted
        #endif
        let found = storage.defaultCredential(for: known)
        return found.flatMap { RequestCredential($0)?.user }
    }

    /// It was accepted, and may be sent with other requests.
    func remember(_ user: UserCredential, for space: ProtectionSpaceKey) {
        remembered.withLock { all in
            if all.last.map({ $0.space == space && $0.user == user }) == true { return }
            all.removeAll { $0.space == space }
            all.append((space, user))
            if all.count > Self.limit { all.removeFirst(all.count - Self.limit) }
        }
    }

    /// It was refused.
    func forget(_ user: UserCredential, for space: ProtectionSpaceKey) {
        remembered.withLock { $0.removeAll { $0.space == space && $0.user == user } }
    }
}

#if canImport(FoundationNetworking)
    extension URLProtectionSpace {
        fileprivate func isSame(as other: URLProtectionSpace) -> Bool {
            host.lowercased() == other.host.lowercased() && port == other.port && self.protocol == other.protocol
                && realm == other.realm && authenticationMethod == other.authenticationMethod && !isProxy()
        }
    }
#endif
