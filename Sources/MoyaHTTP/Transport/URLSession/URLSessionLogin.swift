import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The response to a proxy's challenge in URLSession.
///
/// `Proxy-Authorization` is reserved by URLSession: on Apple platforms, a value in the request is not sent.
enum URLSessionProxyDisposition: Equatable {
    /// No credential: URLSession returns the 407 response.
    case performDefaultHandling
    case use(UserCredential)
    /// The configured credential was rejected.
    case refuse

    /// Creates the response to a challenge from the credential in the transport's configuration, or the session's
    /// credential for this request after a 407.
    init(
        to challenge: URLAuthenticationChallenge,
        configured: TransportProxy.Credential?,
        user: UserCredential?
    ) {
        let isFirst = challenge.previousFailureCount == 0
        if let configured {
            self =
                isFirst ? .use(UserCredential(user: configured.user, password: configured.password)) : .refuse
        } else if let user, isFirst {
            self = .use(user)
        } else {
            self = .performDefaultHandling
        }
    }
}
