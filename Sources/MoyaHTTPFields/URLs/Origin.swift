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

    /// Creates the origin of a URL; `nil` if its scheme is not `http` or `https`.
    ///
    /// A missing port is the default port of the scheme.
    package init?(_ url: URL) {
        if let origin = Origin(plain: url) {
            self = origin
            return
        }
        guard let scheme = url.scheme?.lowercased(), let standardPort = Self.standardPort(of: scheme),
            let host = url.host, !host.isEmpty
        else { return nil }
        self.scheme = scheme
        self.host = host.lowercased()
        port = url.port ?? standardPort
    }

    /// Creates the origin of a URL in the usual form; `nil` for other forms.
    ///
    /// This initializer avoids Foundation's components, which take thousands of instructions.
    private init?(plain url: URL) {
        var text = url.absoluteString
        let parts = text.withUTF8 { bytes in
            PlainAuthority(bytes).map { authority in
                let host = String(decoding: bytes[authority.host], as: UTF8.self)
                // Almost all hosts are in lower case, and `lowercased()` would copy them.
                return (authority.isSecure, authority.hasCapital ? host.lowercased() : host, authority.port)
            }
        }
        guard let (isSecure, host, port) = parts else { return nil }
        scheme = isSecure ? "https" : "http"
        self.host = host
        self.port = port ?? (isSecure ? 443 : 80)
    }

    /// The `https` origin that replaces an `http` origin (RFC 6797, section 8.3): port 80 becomes 443, and other ports are kept.
    package var withTLS: Origin {
        scheme == "http" ? Origin(scheme: "https", host: host, port: port == 80 ? 443 : port) : self
    }

    /// The value of the `Host` header (RFC 9110, section 7.2).
    ///
    /// The zone of an IPv6 address is omitted: it is meaningful only on this machine and must not be sent (RFC 6874, section 4).
    package var hostHeader: String {
        let name = host.withoutZone
        let host = name.contains(":") && !name.hasPrefix("[") ? "[\(name)]" : name
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

extension String {
    /// The host without the zone of an IPv6 address (RFC 6874): `fe80::1` for `fe80::1%eth0`.
    package var withoutZone: String {
        // Almost all hosts have no zone, and fail one of the first two checks, which are fast.
        guard utf8.contains(UInt8(ascii: "%")), utf8.contains(UInt8(ascii: ":")),
            let zone = firstIndex(of: "%")
        else { return self }
        return String(self[..<zone]) + (hasSuffix("]") ? "]" : "")
    }
}
