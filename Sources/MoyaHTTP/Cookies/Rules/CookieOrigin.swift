import Foundation

/// The parts of a request's URL that matter to cookies.
struct CookieOrigin: Equatable, Sendable {
    let host: CookieHost
    /// The path as in the URL, percent-encoded.
    let path: String
    let isSecure: Bool

    /// Creates an origin; `nil` for a URL without a host.
    ///
    /// `trustsLoopback` makes connections to the local machine secure.
    init?(_ url: URL, trustsLoopback: Bool = false) {
        guard let host = CookieHost(url), let scheme = url.scheme?.lowercased() else { return nil }
        self.host = host
        let path = url.path(percentEncoded: true)
        self.path = path.isEmpty ? "/" : path
        isSecure = ["https", "wss"].contains(scheme) || trustsLoopback && host.isLoopback
    }
}
