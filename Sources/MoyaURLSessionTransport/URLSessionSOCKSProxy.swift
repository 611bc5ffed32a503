#if canImport(Security)
// Compiled against stubs on Linux; not tested on Apple platforms.
import Foundation
import Network

extension URLSessionConfiguration {
    /// Sends all requests through a SOCKS proxy that requires a user name and a password.
    ///
    /// A `connectionProxyDictionary` has no entries for them.
    ///
    /// - Returns: Whether this system supports it.
    func useSOCKSProxy(host: String, port: Int, _ credential: TransportProxy.Credential) -> Bool {
        guard #available(macOS 14, iOS 17, tvOS 17, watchOS 10, *),
            let port = UInt16(exactly: port).flatMap(NWEndpoint.Port.init(rawValue:))
        else { return false }
        var proxy = ProxyConfiguration(socksv5Proxy: .hostPort(host: NWEndpoint.Host(host), port: port))
        credential.apply(to: &proxy)
        proxyConfigurations = [proxy]
        return true
    }
}

extension TransportProxy.Credential {
    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    fileprivate func apply(to proxy: inout ProxyConfiguration) {
        proxy.applyCredential(username: user, password: password)
    }
}
#endif
