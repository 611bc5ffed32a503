import Foundation

/// A target that declares how its requests are authorized.
public protocol AccessTokenAuthorizable {
    /// The scheme to use, or `nil` for a request that carries no token.
    var authorizationType: AuthorizationType? { get }
}

/// The scheme in front of a token in the `Authorization` header (RFC 9110, section 11.6.2).
public enum AuthorizationType: Equatable, Sendable {
    /// `Basic`. The token is used as it is: give it in Base64 (RFC 7617).
    case basic
    /// `Bearer` (RFC 6750).
    case bearer
    /// Any other scheme.
    case custom(String)

    /// The scheme as written in the header.
    public var value: String {
        switch self {
        case .basic: "Basic"
        case .bearer: "Bearer"
        case .custom(let value): value
        }
    }
}

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
        // Not setValue, which on Linux keeps the old value if the new one has a line break: such a token must be
        // rejected, not dropped.
        request.headers.update(.authorization("\(type.value) \(token)"))
        return request
    }
}

extension MultiTarget: AccessTokenAuthorizable {
    /// The wrapped target's scheme, if it has one.
    public var authorizationType: AuthorizationType? {
        (target as? any AccessTokenAuthorizable)?.authorizationType
    }
}
