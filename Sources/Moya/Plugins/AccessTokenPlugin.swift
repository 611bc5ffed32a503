import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A target that declares how its requests are authorized.
public protocol AccessTokenAuthorizable: SendableMetatype {
    // Because of `SendableMetatype` a conformance is not isolated to the main actor, also where that is the default. The plugin,
    // which is called elsewhere, would not find an isolated one, and send no token.

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

/// Adds an asynchronously obtained token to the `Authorization` header of each target that is
/// ``AccessTokenAuthorizable``.
///
/// An existing header is replaced.
///
///     let provider = MoyaProvider<GitHub>(interceptor: AccessTokenInterceptor { _ in try await keychain.token() })
///
/// Where the token is available synchronously, use ``AccessTokenPlugin``. For tokens that expire and are refreshed,
/// use ``AuthenticationInterceptor``. It can be the provider's interceptor or the session's, or one of several. Like
/// all interceptors it is not run for stubs. Requests that a session sends without a provider are not changed, so the
/// token source may use the same session.
public struct AccessTokenInterceptor: RequestInterceptor {
    /// Returns the token for a target.
    public typealias TokenSource = @Sendable (any TargetType) async throws -> String

    /// Returns the token for a target.
    ///
    /// It is called for each attempt of a request and for each redirect within its origin; for a ``MultiTarget`` with
    /// the wrapped target. An error that it throws fails the request, in ``MoyaError/underlying(_:_:)``.
    public let tokenSource: TokenSource

    /// Creates an interceptor.
    public init(tokenSource: @escaping TokenSource) { self.tokenSource = tokenSource }

    /// Adds the header.
    public func adapt(_ urlRequest: URLRequest, using state: RequestAdapterState) async throws -> URLRequest {
        guard let target = state.target as? any TargetType,
            let type = (target as? any AccessTokenAuthorizable)?.authorizationType
        else { return urlRequest }
        return urlRequest.authorized(type, token: try await tokenSource(target.innermost))
    }
}
