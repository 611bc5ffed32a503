import Foundation

/// Adds a token to the `Authorization` header of each target that is ``AccessTokenAuthorizable``.
///
/// An existing header is replaced.
///
///     let provider = MoyaProvider<GitHub>(plugins: [AccessTokenPlugin { _ in keychain.token }])
public struct AccessTokenPlugin: PluginType {
    /// Returns the token for a target.
    @preconcurrency
    public typealias TokenClosure = @Sendable (any TargetType) -> String

    /// Returns the token for a target.
    ///
    /// It is called for each attempt of a request; for a ``MultiTarget`` with the wrapped target.
    @preconcurrency
    public let tokenClosure: TokenClosure

    /// Creates a plugin.
    @preconcurrency
    public init(tokenClosure: @escaping TokenClosure) { self.tokenClosure = tokenClosure }

    /// Adds the header.
    public func prepare(_ request: URLRequest, target: any TargetType) -> URLRequest {
        guard let type = (target as? any AccessTokenAuthorizable)?.authorizationType else { return request }
        return request.authorized(type, token: tokenClosure(target.innermost))
    }
}

extension URLRequest {
    /// Returns the request with a token in place of an existing one.
    func authorized(_ type: AuthorizationType, token: String) -> URLRequest {
        var request = self
        // On Linux, setValue keeps the old value if the new one has a line break. The session must reject such a token, so
        // update is called instead.
        request.headers.update(.authorization("\(type.value) \(token)"))
        return request
    }
}
