#if NIO && !canImport(Darwin)
import Foundation
import HTTPTypes

/// An HTTP proxy of a transport, and the credentials for it.
///
/// Tunnels and requests in absolute form share it, so that nonce counts are unique.
final class HTTPProxy: Sendable {
    let host: String
    let port: Int
    /// The credential of the ``TransportProxy``.
    let configured: UserCredential?
    let storage: URLCredentialStorage?
    /// The credential from the storage that the proxy has accepted.
    let accepted = Locked<UserCredential?>(nil)
    let cache: CredentialCache

    /// Creates a proxy.
    ///
    /// The credential, or without it one of the storage, is the response to its challenges.
    init(
        host: String,
        port: Int,
        credential: TransportProxy.Credential?,
        storage: URLCredentialStorage? = nil,
        cache: CredentialCache = CredentialCache()
    ) {
        (self.host, self.port) = (host, port)
        configured = credential.map { UserCredential(user: $0.user, password: $0.password) }
        (self.storage, self.cache) = (storage, cache)
    }

    var address: ProxyAddress { ProxyAddress(host: host, port: port) }

    var origin: Origin { Origin(scheme: "http", host: host, port: port) }
}
#endif
