/// A credential that authenticates requests, such as a token or a signing key.
@preconcurrency
public protocol AuthenticationCredential: Sendable {
    /// Whether the credential must be refreshed before it is used, because it has expired or will expire soon.
    ///
    /// The property is read before every request, so it must be fast.
    var requiresRefresh: Bool { get }
}
