/// A proxy that all requests go through.
public enum TransportProxy: Equatable, Sendable {
    /// An HTTP proxy, with the user name and password that it wants.
    case http(host: String, port: Int, credential: Credential? = nil)
    /// A SOCKS proxy of version 5 (RFC 1928), with the user name and password that it wants (RFC 1929).
    case socks(host: String, port: Int = 1080, credential: Credential? = nil)

    /// A user name and a password. The latter stands in no description.
    public struct Credential: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
        /// The user name. For an HTTP proxy it has no colon (RFC 7617, section 2), for a SOCKS proxy 1 to 255 bytes, as has the
        /// password (RFC 1929, section 2).
        public var user: String
        /// The password.
        public var password: String

        /// Makes a credential.
        public init(user: String, password: String) {
            self.user = user
            self.password = password
        }

        /// The user name alone.
        public var description: String { "Credential(user: \(user))" }

        /// The user name alone.
        public var customMirror: Mirror { Mirror(self, children: ["user": user]) }
    }

    var address: (host: String, port: Int) {
        switch self {
        case .http(let host, let port, _), .socks(let host, let port, _): (host, port)
        }
    }

    var credential: Credential? {
        switch self {
        case .http(_, _, let credential), .socks(_, _, let credential): credential
        }
    }
}
