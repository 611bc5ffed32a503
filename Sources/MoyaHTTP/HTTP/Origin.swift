import Foundation

/// The scheme, host and port of an `http` or `https` URL, which are the scope of credentials (RFC 9110, section
/// 4.3.1).
///
/// Hosts are compared as text, ignoring case. As in browsers, `example.com.` is not equal to `example.com`, and
/// different spellings of an address are different hosts: in case of doubt, credentials are not sent.
package struct Origin: Hashable, Sendable {
    package let scheme: String
    package let host: String
    package let port: Int

    /// Creates an origin; scheme and host are case-insensitive.
    package init(scheme: String, host: String, port: Int) {
        self.scheme = scheme.lowercased()
        self.host = host.lowercased()
        self.port = port
    }

    /// Creates the origin of a URL; nil if its scheme is not `http` or `https`.
    ///
    /// A missing port is the default port of the scheme.
    package init?(_ url: URL) {
        guard let scheme = url.scheme?.lowercased(), let standardPort = Self.standardPort(of: scheme),
            let host = url.host, !host.isEmpty
        else { return nil }
        self.scheme = scheme
        self.host = host.lowercased()
        port = url.port ?? standardPort
    }

    /// The value of the `Host` header (RFC 9110, section 7.2).
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
