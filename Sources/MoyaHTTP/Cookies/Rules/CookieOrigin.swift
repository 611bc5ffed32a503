import Foundation

/// What of a request's URL matters to cookies. Pure.
struct CookieOrigin: Equatable, Sendable {
    let host: CookieHost
    /// As it stands in the URL, percent-encoded.
    let path: String
    let isSecure: Bool

    /// - Parameter trustsLoopback: Whether a connection to this machine counts as a secure one.
    /// - Returns: `nil` for a URL without a host.
    init?(_ url: URL, trustsLoopback: Bool = false) {
        guard let host = CookieHost(url), let scheme = url.scheme?.lowercased() else { return nil }
        self.host = host
        let path = url.path(percentEncoded: true)
        self.path = path.isEmpty ? "/" : path
        isSecure = ["https", "wss"].contains(scheme) || trustsLoopback && host.isLoopback
    }
}
