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

    /// Creates the origin of a URL from its bytes, without Foundation's components, which take thousands of instructions.
    ///
    /// - Returns: `nil` for a URL that is not as most are: scheme and host in lower case, a host of letters, digits, hyphens
    ///   and dots alone, and no port or a valid one.
    private init?(plain url: URL) {
        var text = url.absoluteString
        let parts = text.withUTF8 { bytes -> (isSecure: Bool, host: String, port: Int?)? in
            let isSecure = bytes.starts(with: "https://".utf8)
            guard isSecure || bytes.starts(with: "http://".utf8) else { return nil }
            let start = isSecure ? 8 : 7
            var end = start
            while end < bytes.count, bytes[end].isPlainHostByte { end += 1 }
            guard end > start else { return nil }
            let host = String(decoding: bytes[start..<end], as: UTF8.self)
            guard end < bytes.count else { return (isSecure, host, nil) }
            switch bytes[end] {
            case UInt8(ascii: "/"), UInt8(ascii: "?"): return (isSecure, host, nil)
            case UInt8(ascii: ":"): break
            default: return nil
            }
            var (index, port) = (end + 1, 0)
            while index < bytes.count, bytes[index].isDigit, port <= 65_535 {
                port = port * 10 + Int(bytes[index] - UInt8(ascii: "0"))
                index += 1
            }
            let isEnd = index == bytes.count || bytes[index] == UInt8(ascii: "/") || bytes[index] == UInt8(ascii: "?")
            guard index > end + 1, (1...65_535).contains(port), isEnd else { return nil }
            return (isSecure, host, port)
        }
        guard let parts else { return nil }
        scheme = parts.isSecure ? "https" : "http"
        host = parts.host
        port = parts.port ?? (parts.isSecure ? 443 : 80)
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

extension UInt8 {
    /// Whether the byte is in host names in lower case, and IPv4 addresses.
    fileprivate var isPlainHostByte: Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) || isDigit || self == UInt8(ascii: "-")
            || self == UInt8(ascii: ".")
    }
}
