import Foundation

/// The policy of a host that requires TLS: `http` URLs of the host are replaced by `https` URLs until the policy expires (RFC 6797).
///
/// A ``StrictTransportSecurityStore`` creates policies from responses. An application encodes them to keep them for its next launch.
public struct StrictTransportSecurityPolicy: Hashable, Codable, Sendable {
    /// The name of the host; in the policies of a store, in lower case and without a trailing dot.
    public let host: String
    /// Whether the policy also applies to the subdomains of the host.
    public let includesSubdomains: Bool
    /// The time at which the policy expires.
    public let expires: Date

    /// Creates a policy.
    public init(host: String, includesSubdomains: Bool = false, expires: Date) {
        self.host = host
        self.includesSubdomains = includesSubdomains
        self.expires = expires
    }
}
