import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What URLSession is told when a proxy asks for a user. `Proxy-Authorization` is one of URLSession's own headers: what a
/// request says there is not sent on Apple's platforms.
enum URLSessionProxyAnswer: Equatable {
    /// No user: URLSession hands over the 407.
    case byDefault
    case use(UserCredential)
    /// The configured user is not accepted.
    case refuse

    /// - Parameters:
    ///   - configured: The user that the transport is configured with.
    ///   - user: The one that the session names for this request, after a 407.
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
            self = .byDefault
        }
    }
}
