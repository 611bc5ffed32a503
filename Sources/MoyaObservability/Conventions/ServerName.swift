#if Observability
import Foundation
import HTTPTypes
import MoyaHTTP

/// The server of a request as attributes: `server.address` and `server.port`.
struct ServerName: Hashable, Sendable {
    /// The host name, or the IP address without brackets and zone.
    let address: String
    let port: Int

    init(address: String, port: Int) { (self.address, self.port) = (address, port) }

    /// Creates the name from the `Host` field of a request, if the application has set one, and from the URL otherwise; `nil` for a URL
    /// that cannot be sent.
    init?(of url: URL, _ fields: HTTPFields = [:]) {
        guard let origin = Origin(url) else { return nil }
        let host = fields.isEmpty ? nil : HTTPField.Name("Host").flatMap { fields[$0] }
        self.init(origin, host: host)
    }

    init(_ origin: Origin, host: String? = nil) {
        guard let host, !host.isEmpty else {
            self.init(address: Self.bare(origin.host), port: origin.port)
            return
        }
        let standardPort = origin.scheme == "https" ? 443 : 80
        let port = host.lastIndex(of: ":").flatMap { colon in
            host[colon...].contains("]") ? nil : Int(host[host.index(after: colon)...])
        }
        let end = port == nil ? host.endIndex : host.lastIndex(of: ":") ?? host.endIndex
        self.init(address: Self.bare(String(host[..<end])), port: port ?? standardPort)
    }

    /// Returns a host without the brackets and the zone of an IPv6 address.
    private static func bare(_ host: String) -> String {
        guard host.utf8.contains(UInt8(ascii: ":")) else { return host }
        let name = host.withoutZone
        return name.hasPrefix("[") && name.hasSuffix("]") ? String(name.dropFirst().dropLast()) : name
    }
}
#endif
