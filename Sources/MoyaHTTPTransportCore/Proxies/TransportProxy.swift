import Foundation
import MoyaPublicSuffixList

/// A proxy for all requests.
public enum TransportProxy: Equatable, Sendable {
    /// An HTTP proxy, with an optional credential.
    ///
    /// Requests to `https` URLs pass the proxy in a tunnel (`CONNECT`). The credential is sent by Basic with the first request.
    /// If a challenge of the proxy offers Digest, later requests use Digest. The credential is sent to the proxy only.
    case http(host: String, port: Int, credential: Credential? = nil)
    /// A SOCKS 5 proxy (RFC 1928), with an optional credential (RFC 1929).
    case socks(host: String, port: Int = 1080, credential: Credential? = nil)

    /// A user name and a password.
    ///
    /// Descriptions do not include the password.
    public struct Credential: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
        /// The user name.
        ///
        /// For an HTTP proxy it must not contain a colon, and neither user name nor password may contain control
        /// characters, such as line breaks (RFC 7617, section 2). For a SOCKS proxy, user name and password have 1 to
        /// 255 bytes each (RFC 1929, section 2).
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

    /// Throws if the proxy is invalid.
    func validate() throws(TransportConfigurationError) {
        guard let host = HostName.Pattern(address.host), !host.text.hasPrefix("*") else {
            throw .invalid(.proxy, reason: "\"\(address.host)\" is neither a host name nor an IP address.")
        }
        guard (1...65_535).contains(address.port) else {
            throw .invalid(.proxy, reason: "The port \(address.port) is not between 1 and 65535.")
        }
        switch self {
        case .http(_, _, let credential?):
            guard !credential.user.utf8.contains(UInt8(ascii: ":")) else {
                throw .invalid(.proxy, reason: "The user name must not contain a colon (RFC 7617, section 2).")
            }
            for (name, text) in [("user name", credential.user), ("password", credential.password)]
            where text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
                throw .invalid(
                    .proxy,
                    reason: "The \(name) must not contain a control character, such as a line break at its end (RFC "
                        + "7617, section 2)."
                )
            }
        case .socks(_, _, let credential?):
            for text in [credential.user, credential.password] where !(1...255).contains(text.utf8.count) {
                throw .invalid(
                    .proxy,
                    reason: "SOCKS user names and passwords must have 1 to 255 bytes (RFC 1929, section 2)."
                )
            }
        case .http, .socks: break
        }
    }

    package var address: (host: String, port: Int) {
        switch self {
        case .http(let host, let port, _), .socks(let host, let port, _): (host, port)
        }
    }

    package var credential: Credential? {
        switch self {
        case .http(_, _, let credential), .socks(_, _, let credential): credential
        }
    }
}
