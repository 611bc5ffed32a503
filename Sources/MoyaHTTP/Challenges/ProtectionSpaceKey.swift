import Foundation
import HTTPTypes

/// The party that requests credentials: the origin server or a proxy (RFC 9110, sections 11.6 and 11.7).
package enum AuthenticationSide: Hashable, Sendable {
    case server
    case proxy

    /// The status code of a challenge: 401 or 407.
    package var statusCode: Int { self == .server ? 401 : 407 }
    /// The header with the challenges.
    package var challengeField: HTTPField.Name { self == .server ? .wwwAuthenticate : .proxyAuthenticate }
    /// The header with the credentials.
    package var authorizationField: HTTPField.Name { self == .server ? .authorization : .proxyAuthorization }
    /// The header that may accompany accepted credentials.
    package var infoField: HTTPField.Name { self == .server ? .authenticationInfo : .proxyAuthenticationInfo }
}

/// A protection space: a part of a server, or a proxy, that accepts the same credentials (RFC 9110, section 11.5).
package struct ProtectionSpaceKey: Hashable, Sendable {
    package let side: AuthenticationSide
    /// The origin of the server, or of the proxy itself.
    package let origin: Origin
    package let realm: String

    package init(side: AuthenticationSide = .server, origin: Origin, realm: String) {
        self.side = side
        self.origin = origin
        self.realm = realm
    }
}
