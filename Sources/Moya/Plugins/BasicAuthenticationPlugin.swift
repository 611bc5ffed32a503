import Foundation

/// Sends a user name and a password with each request, without waiting for a challenge (RFC 7617).
///
///     let provider = MoyaProvider<Shop>(plugins: [BasicAuthenticationPlugin(username: "ash", password: secret)])
///
/// Anyone who can read the request can use the password, so use the plugin with https only. A request that has an
/// `Authorization` keeps it. To send the password only after a challenge, or by Digest, use ``CredentialsPlugin``.
public struct BasicAuthenticationPlugin: PluginType {
    /// Returns the user name and the password for a target; `nil` to send none.
    public typealias CredentialClosure = @Sendable (any TargetType) -> (username: String, password: String)?

    private let credential: CredentialClosure

    /// Creates a plugin that sends the same user name and password with all requests.
    ///
    /// A user name with a colon cannot be sent (RFC 7617, section 2): the request goes out without `Authorization`.
    public init(username: String, password: String) {
        self.init { _ in (username, password) }
    }

    /// Creates a plugin.
    ///
    /// - Parameter credential: Returns the user name and the password; called for each attempt of a request.
    public init(credential: @escaping CredentialClosure) { self.credential = credential }

    /// Adds the `Authorization` header.
    public func prepare(_ request: URLRequest, target: any TargetType) -> URLRequest {
        guard request.value(forHTTPHeaderField: "Authorization") == nil,
            let (username, password) = credential(target), !username.contains(":")
        else { return request }
        var request = request
        request.headers.update(.authorization(username: username, password: password))
        return request
    }
}
