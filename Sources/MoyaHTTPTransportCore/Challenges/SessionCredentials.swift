import Foundation

/// The user names and passwords of a session: those that it remembers from its requests, and those of the
/// configuration's `urlCredentialStorage`.
package final class SessionCredentials: Sendable {
    /// The protection spaces that credentials were sent to, with their nonces.
    package let cache = CredentialCache()

    private let storage: URLCredentialStorage?
    private let remembered = Locked<[(space: ProtectionSpaceKey, user: UserCredential)]>([])
    /// The maximum number of remembered credentials; the ones accepted last are kept.
    private static let limit = 128

    package init(_ storage: URLCredentialStorage?) { self.storage = storage }

    /// Whether no credential is remembered that could be sent before a challenge.
    package var isEmpty: Bool { remembered.withLock { $0.isEmpty } }

    /// Returns the credentials that a server or proxy has accepted, the last one first.
    package func rememberedUsers(of side: AuthenticationSide, at origin: Origin) -> [UserCredential] {
        remembered.withLock { all in
            all.reversed().filter { $0.space.side == side && $0.space.origin == origin }.map(\.user)
        }
    }

    /// Returns the credential for a protection space; `nil` if there is none.
    package func credential(for space: ProtectionSpaceKey, scheme: String) -> UserCredential? {
        if let known = remembered.withLock({ $0.last { $0.space == space }?.user }) { return known }
        // The storage is not asked about proxies, which only the transport knows.
        return space.side == .server ? storage?.user(for: space, scheme: scheme) : nil
    }

    /// Remembers a credential that was accepted, for other requests.
    package func remember(_ user: UserCredential, for space: ProtectionSpaceKey) {
        remembered.withLock { all in
            if all.last.map({ $0.space == space && $0.user == user }) == true { return }
            all.removeAll { $0.space == space }
            all.append((space, user))
            if all.count > Self.limit { all.removeFirst(all.count - Self.limit) }
        }
    }

    /// Removes a credential that was refused.
    package func forget(_ user: UserCredential, for space: ProtectionSpaceKey) {
        remembered.withLock { $0.removeAll { $0.space == space && $0.user == user } }
    }
}

extension URLCredentialStorage {
    /// Returns the credential for a protection space of a server or of an HTTP proxy; `nil` if there is none.
    package func user(for space: ProtectionSpaceKey, scheme: String) -> UserCredential? {
        let (host, port) = (space.origin.host, space.origin.port)
        let method =
            scheme.lowercased() == "digest" ? NSURLAuthenticationMethodHTTPDigest : NSURLAuthenticationMethodHTTPBasic
        let wanted =
            switch space.side {
            case .server:
                URLProtectionSpace(
                    host: host,
                    port: port,
                    protocol: space.origin.scheme == "https" ? "https" : "http",
                    realm: space.realm,
                    authenticationMethod: method
                )
            case .proxy:
                URLProtectionSpace(
                    proxyHost: host,
                    port: port,
                    type: NSURLProtectionSpaceHTTPProxy,
                    realm: space.realm,
                    authenticationMethod: method
                )
            }
        #if canImport(FoundationNetworking)
        // Foundation on Linux compares spaces by identity, so only the instance that was stored finds a credential.
        let known = allCredentials.keys.first { $0.isSame(as: wanted) } ?? wanted
        #else
        let known = wanted
        #endif
        return defaultCredential(for: known).flatMap { RequestCredential($0)?.user }
    }
}

#if canImport(FoundationNetworking)
extension URLProtectionSpace {
    fileprivate func isSame(as other: URLProtectionSpace) -> Bool {
        host.lowercased() == other.host.lowercased() && port == other.port && self.protocol == other.protocol
            && realm == other.realm && authenticationMethod == other.authenticationMethod
            && isProxy() == other.isProxy()
    }
}
#endif
