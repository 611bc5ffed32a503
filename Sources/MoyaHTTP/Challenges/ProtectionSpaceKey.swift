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

/// A part of a server, or a proxy, that takes the same credentials throughout (RFC 9110, section 11.5).
package struct ProtectionSpaceKey: Hashable, Sendable {
    package let side: AuthenticationSide
    /// The proxy's own, for a proxy.
    package let origin: Origin
    package let realm: String

    package init(side: AuthenticationSide = .server, origin: Origin, realm: String) {
        self.side = side
        self.origin = origin
        self.realm = realm
    }
}
