import Foundation

/// Adds an asynchronously obtained token to the `Authorization` header of each target that is
/// ``AccessTokenAuthorizable``.
///
/// An existing header is replaced.
///
///     let provider = MoyaProvider<GitHub>(interceptor: AccessTokenInterceptor { _ in try await keychain.token() })
///
/// Where the token is available synchronously, use ``AccessTokenPlugin``. For tokens that expire and are refreshed,
/// use ``AuthenticationInterceptor``.
///
/// The interceptor can be the provider's or the session's, or one of several. Like all interceptors it is not run for
/// stubs. It does not change requests that a session sends without a provider, so the token source may use the same
/// session.
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
