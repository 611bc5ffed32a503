import Foundation

/// Responds to challenges of servers and proxies (RFC 9110, section 11) with a user name and password, by Basic or
/// Digest.
///
///     let provider = MoyaProvider<GitHub>(plugins: [
///         CredentialsPlugin { _ in URLCredential(user: "ash", password: "secret", persistence: .none) }
///     ])
///
/// Credentials are sent only after the server has sent a challenge, in this session and for this credential.
public final class CredentialsPlugin: PluginType {
    /// Returns the credential for a target; `nil` to leave challenges without a response.
    @preconcurrency
    public typealias CredentialClosure = @Sendable (any TargetType) -> URLCredential?

    private let credentialsClosure: CredentialClosure

    /// Creates a plugin.
    ///
    /// - Parameter credentialsClosure: Returns the credential; called for each attempt of a request.
    @preconcurrency
    public init(credentialsClosure: @escaping CredentialClosure) { self.credentialsClosure = credentialsClosure }

    /// Passes the credential to the request.
    public func willSend(_ request: any RequestType, target: any TargetType) {
        guard let credential = credentialsClosure(target) else { return }
        request.authenticate(with: credential)
    }
}
