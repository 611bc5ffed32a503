import Foundation
import HTTPTypes

/// The party that requests credentials: the origin server or a proxy (RFC 9110, sections 11.6 and 11.7).
package enum AuthenticationSide: Hashable, Sendable {
    case server
    case proxy

    /// Creates the side that sends challenges with a status; `nil` if the status is not 401 or 407.
    package init?(challengingWith status: Int) {
        switch status {
        case 401: self = .server
        case 407: self = .proxy
        default: return nil
        }
    }

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

/// The known paths of a protection space.
package struct ProtectionScope: Equatable, Sendable {
    static let limit = 32
    /// The path prefixes.
    private var prefixes: [String] = []

    package init() {}

    /// Creates the scope of a Digest challenge (RFC 7616, section 3.3): the whole origin, or the prefixes listed in
    /// `domain`.
    ///
    /// URIs of other origins are ignored, since credentials are not sent to other origins. For a proxy, `domain`
    /// has no meaning.
    package init(domain: [String], of space: ProtectionSpaceKey) {
        guard !domain.isEmpty, space.side == .server else {
            prefixes = [""]
            return
        }
        for uri in domain.prefix(Self.limit) {
            if uri.hasPrefix("/"), !uri.hasPrefix("//") {
                add(uri)
            } else if let url = URL(string: uri), Origin(url) == space.origin {
                add(url.path(percentEncoded: true))
            }
        }
    }

    /// Adds a path prefix; the oldest is removed if there are too many.
    package mutating func add(_ prefix: String) {
        guard !prefixes.contains(where: { prefix.hasPrefix($0) }) else { return }
        prefixes.removeAll { $0.hasPrefix(prefix) }
        prefixes.append(prefix)
        if prefixes.count > Self.limit { prefixes.removeFirst() }
    }

    /// Returns the length of the longest prefix of the path, or nil if there is none.
    package func coverage(ofPath path: String) -> Int? {
        prefixes.lazy.filter { path.utf8.starts(with: $0.utf8) }.map(\.utf8.count).max()
    }
}
