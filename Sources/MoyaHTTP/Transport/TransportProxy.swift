/// A proxy for all requests.
public enum TransportProxy: Equatable, Sendable {
    /// An HTTP proxy, with an optional credential.
    case http(host: String, port: Int, credential: Credential? = nil)
    /// A SOCKS 5 proxy (RFC 1928), with an optional credential (RFC 1929).
    case socks(host: String, port: Int = 1080, credential: Credential? = nil)

    /// A user name and a password.
    ///
    /// Descriptions do not include the password.
    public struct Credential: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
        /// The user name.
        ///
        /// For an HTTP proxy it must not contain a colon (RFC 7617, section 2). For a SOCKS proxy, user name and
        /// password have 1 to 255 bytes each (RFC 1929, section 2).
        public var user: String
        /// The password.
        public var password: String

        /// Creates a credential.
        public init(user: String, password: String) {
            self.user = user
            self.password = password
        }

        /// A description with the user name only.
        public var description: String { "Credential(user: \(user))" }

        /// A mirror with the user name only.
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
