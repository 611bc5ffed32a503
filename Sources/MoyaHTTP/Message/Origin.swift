import Foundation

/// Scheme, host and port of an `http` or `https` URL: what credentials belong to (RFC 9110, section 4.3.1).
///
/// Hosts are compared as text, without regard to case. `example.com.` is not `example.com`, as in browsers, and an address
/// that is written in another way is another host: where there is a doubt, credentials stay at home.
package struct Origin: Hashable, Sendable {
    package let scheme: String
    package let host: String
    package let port: Int

    /// Case does not matter.
    package init(scheme: String, host: String, port: Int) {
        self.scheme = scheme.lowercased()
        self.host = host.lowercased()
        self.port = port
    }

    /// Nil for any other URL. A port that is not named is the scheme's.
    package init?(_ url: URL) {
        guard let scheme = url.scheme?.lowercased(), let standardPort = Self.standardPort(of: scheme),
            let host = url.host, !host.isEmpty
        else { return nil }
        self.init(scheme: scheme, host: host, port: url.port ?? standardPort)
    }

    /// The value of the header `Host` (RFC 9110, section 7.2).
    package var hostHeader: String {
        let host = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
        return port == Self.standardPort(of: scheme) ? host : "\(host):\(port)"
    }

    private static func standardPort(of scheme: String) -> Int? {
        switch scheme {
        case "http": 80
        case "https": 443
        default: nil
        }
    }
}
