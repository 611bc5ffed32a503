import Foundation
import HTTPTypes

/// Who asks for credentials: the server that a request is for, or a proxy on the way to it (RFC 9110, sections 11.6
/// and 11.7).
package enum AuthenticationSide: Hashable, Sendable {
    case server
    case proxy

    /// The status that comes with a challenge.
    package var statusCode: Int { self == .server ? 401 : 407 }
    /// The header with the challenges.
    package var challengeField: HTTPField.Name { self == .server ? .wwwAuthenticate : .proxyAuthenticate }
    /// The header with the answer.
    package var authorizationField: HTTPField.Name { self == .server ? .authorization : .proxyAuthorization }
    /// The header that may come with what is answered well.
    package var infoField: HTTPField.Name { self == .server ? .authenticationInfo : .proxyAuthenticationInfo }
}

/// Scheme, host and port: what credentials never leave (RFC 9110, section 4.3.1).
package struct AuthenticationOrigin: Hashable, Sendable {
    package let scheme: String
    package let host: String
    package let port: Int

    /// Case does not matter.
    package init(scheme: String, host: String, port: Int) {
        self.scheme = scheme.lowercased()
        self.host = host.lowercased()
        self.port = port
    }

    /// Nil for a URL without scheme or host. A port that is not named is the scheme's.
    package init?(_ url: URL) {
        guard let scheme = url.scheme, let host = url.host, !host.isEmpty else { return nil }
        let isSecure = ["https", "wss"].contains(scheme.lowercased())
        self.init(scheme: scheme, host: host, port: url.port ?? (isSecure ? 443 : 80))
    }
}

/// A part of a server, or a proxy, that takes the same credentials throughout (RFC 9110, section 11.5).
package struct ProtectionSpaceKey: Hashable, Sendable {
    package let side: AuthenticationSide
    /// The proxy's own, for a proxy.
    package let origin: AuthenticationOrigin
    package let realm: String

    package init(side: AuthenticationSide = .server, origin: AuthenticationOrigin, realm: String) {
        self.side = side
        self.origin = origin
        self.realm = realm
    }
}
