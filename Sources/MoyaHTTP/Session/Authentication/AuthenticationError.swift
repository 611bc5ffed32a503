import Foundation

/// An error with which an ``AuthenticationInterceptor`` fails a request, other than the errors of its
/// authenticator.
public enum AuthenticationError: Error, Equatable, Sendable {
    /// There is no credential: the user has not logged in, or has logged out.
    case missingCredential
    /// A refreshed credential was rejected again, or there were more refreshes than the ``RefreshWindow`` allows.
    case excessiveRefresh
    /// The ``Authenticator`` implements neither form of `refresh`.
    case refreshNotImplemented
}

extension AuthenticationError: LocalizedError {
    /// A sentence that describes the problem and a remedy.
    public var errorDescription: String? {
        switch self {
        case .missingCredential:
            "There is no credential to authenticate the request with: log in, and set the interceptor's credential."
        case .excessiveRefresh:
            "The credential was refreshed and rejected again, or refreshed too often: the server does not accept the "
                + "credentials that it issues. Check the authenticator, and let the user log in again."
        case .refreshNotImplemented:
            "The authenticator cannot refresh a credential: implement one of the two forms of refresh(_:for:)."
        }
    }
}
