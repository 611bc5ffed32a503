import Foundation

/// A request that is about to be sent, as passed to plugins.
@preconcurrency
public protocol RequestType: Sendable {
    /// The request, after all plugins have prepared it.
    var request: URLRequest? { get }

    /// The headers of the session's configuration, which the session adds if the request does not have them.
    ///
    /// A session also adds `User-Agent`, `Accept`, `Accept-Language` and `Accept-Encoding`, as URLSession does, and the cookies of
    /// its storage. They are not among these headers, but in the command of ``cURLDescription(calling:)``.
    var sessionHeaders: [String: String] { get }

    /// Responds to challenges for this request with a user name and a password.
    ///
    /// - Parameters:
    ///   - username: The user name.
    ///   - password: The password.
    ///   - persistence: With `.none` the credential is used for this request only; otherwise the session keeps it for
    ///     the protection space of the challenge.
    /// - Returns: This request.
    @discardableResult
    func authenticate(username: String, password: String, persistence: URLCredential.Persistence) -> Self

    /// Responds to challenges for this request with a credential.
    @discardableResult
    func authenticate(with credential: URLCredential) -> Self

    /// Passes the request to the handler as a `curl` command for a shell, with credentials masked.
    ///
    /// The command repeats the request: it has all headers that are sent, including those that the session adds, the cookies of
    /// its storage, and a length of 0 for a POST without a body. The handler is called before the function returns.
    @discardableResult
    func cURLDescription(calling handler: @escaping (String) -> Void) -> Self
}

extension Request: RequestType {}
