import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Answers the challenges of servers and proxies (RFC 9110, section 11) with a user name and a password: Basic and Digest.
///
///     let provider = MoyaProvider<GitHub>(plugins: [
///         CredentialsPlugin { _ in URLCredential(user: "ash", password: "secret", persistence: .none) }
///     ])
///
/// Nothing is sent before a server has asked for it, in this session and with this credential.
public final class CredentialsPlugin: PluginType {
    /// Gives the credential for a target; `nil` leaves challenges unanswered.
    @preconcurrency
    public typealias CredentialClosure = @Sendable (any TargetType) -> URLCredential?

    private let credentialsClosure: CredentialClosure

    /// Makes a plugin.
    ///
    /// - Parameter credentialsClosure: Called for each request, and again for each try.
    @preconcurrency
    public init(credentialsClosure: @escaping CredentialClosure) { self.credentialsClosure = credentialsClosure }

    /// Hands the credential to the request.
    public func willSend(_ request: any RequestType, target: any TargetType) {
        guard let credential = credentialsClosure(target) else { return }
        request.authenticate(with: credential)
    }
}
