import Foundation

/// Scheme, host and port of an `http` or `https` URL: what credentials belong to (RFC 9110, section 4.3.1).
///
/// Hosts are compared as text, without regard to case. `example.com.` is not `example.com`, as in browsers, and an address
/// that is written in another way is another host: where there is a doubt, credentials stay at home.
struct Origin: Hashable, Sendable {
    let scheme: String
    let host: String
    let port: Int

    /// Nil for any other URL.
    init?(_ url: URL) {
        guard let scheme = url.scheme?.lowercased(), let standardPort = Self.standardPorts[scheme],
            let host = url.host, !host.isEmpty
        else { return nil }
        self.scheme = scheme
        self.host = host.lowercased()
        port = url.port ?? standardPort
    }

    private static let standardPorts = ["http": 80, "https": 443]
}
