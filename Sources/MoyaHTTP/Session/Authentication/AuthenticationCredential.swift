/// What a request proves with who it is from: a token, a signature's key.
@preconcurrency
public protocol AuthenticationCredential: Sendable {
    /// Whether the credential must be refreshed before it is used again, as when it has expired or is about to.
    ///
    /// It is asked before every request, so it must be quick.
    var requiresRefresh: Bool { get }
}
