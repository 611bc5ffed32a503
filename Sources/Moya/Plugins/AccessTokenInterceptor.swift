import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Puts a token that must be waited for into the `Authorization` header of each target that is
/// ``AccessTokenAuthorizable``, replacing one that is there.
///
///     let provider = MoyaProvider<GitHub>(interceptor: AccessTokenInterceptor { _ in try await keychain.token() })
///
/// It is for sources that are asynchronous; where the token is at hand, ``AccessTokenPlugin`` does the same. For tokens that
/// expire and are renewed, ``AuthenticationInterceptor`` knows more. It may be the provider's interceptor or the session's, or
/// one of several. As all interceptors it has no part in stubs, and requests that a session sends without a provider are left
/// alone: the source may well use the same session.
public struct AccessTokenInterceptor: RequestInterceptor {
    /// Gives the token for a target.
    public typealias TokenSource = @Sendable (any TargetType) async throws -> String

    /// Gives the token for a target. It is called for each try of a request, and for each redirect within its origin; for a
    /// ``MultiTarget`` with the target inside. What it throws fails the request, in ``MoyaError/underlying(_:_:)``.
    public let tokenSource: TokenSource

    /// Makes an interceptor.
    public init(tokenSource: @escaping TokenSource) { self.tokenSource = tokenSource }

    /// Adds the header.
    public func adapt(_ urlRequest: URLRequest, using state: RequestAdapterState) async throws -> URLRequest {
        guard let target = state.target as? any TargetType,
            let type = (target as? any AccessTokenAuthorizable)?.authorizationType
        else { return urlRequest }
        return urlRequest.authorized(type, token: try await tokenSource(target.innermost))
    }
}
