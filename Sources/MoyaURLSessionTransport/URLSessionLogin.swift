import Foundation

/// A challenge of URLSession for the credential of a user, not for a certificate.
struct URLSessionLoginChallenge: Equatable, Sendable {
    /// The method of the authentication.
    enum Method: Equatable, Sendable {
        /// Basic or Digest, with a user name and a password. The session responds to these challenges of a server.
        case password
        /// NTLM or Negotiate, for which URLSession uses the ticket of the user who is logged in to the system, unless it has a
        /// password.
        case ticket

        /// Creates the method of a protection space, by the value of its `authenticationMethod`.
        init(_ name: String) {
            // The constants do not exist on Linux; these are their values.
            let ticketMethods = ["NSURLAuthenticationMethodNTLM", "NSURLAuthenticationMethodNegotiate"]
            self = ticketMethods.contains(name) ? .ticket : .password
        }
    }

    let method: Method
    let isProxy: Bool
    /// Whether the request is for a tunnel through the proxy, for which URLSession returns no 407 response.
    let isTunnel: Bool
    /// The number of credentials that have been refused.
    let failureCount: Int

    init(method: Method, isProxy: Bool, isTunnel: Bool = false, failureCount: Int = 0) {
        (self.method, self.isProxy, self.isTunnel) = (method, isProxy, isProxy && isTunnel)
        self.failureCount = failureCount
    }

    /// Creates the challenge to a request for a URL.
    init(_ challenge: URLAuthenticationChallenge, url: URL?) {
        self.init(
            method: Method(challenge.protectionSpace.authenticationMethod),
            isProxy: challenge.protectionSpace.isProxy(),
            isTunnel: url?.scheme?.lowercased() == "https",
            failureCount: challenge.previousFailureCount
        )
    }
}

/// The credentials for a proxy, by their source.
struct ProxyUsers: Equatable, Sendable {
    /// The credential of the ``TransportProxy``.
    var configured: UserCredential?
    /// The session's credential for a 407 response to this request.
    var afterResponse: UserCredential?
    /// The credential of the configuration's `urlCredentialStorage` for the protection space.
    var stored: UserCredential?
    /// The request's credential, which the session cannot use for a tunnel, because it gets no 407 response.
    var own: UserCredential?

    /// Returns the credentials to use for a challenge, one after another.
    fileprivate func candidates(for challenge: URLSessionLoginChallenge) -> [UserCredential] {
        if let only = configured ?? afterResponse { return [only] }
        let isForPassword = challenge.isTunnel && challenge.method == .password
        var users = [stored].compactMap(\.self)
        if isForPassword, let own, own != stored { users.append(own) }
        return users
    }
}

/// The response to a ``URLSessionLoginChallenge``.
///
/// `Proxy-Authorization` is reserved by URLSession: on Apple platforms, a value in the request is not sent.
enum URLSessionLoginDisposition: Equatable, Sendable {
    /// No credential: URLSession returns the 401 or 407 response, or uses the user's ticket.
    case performDefaultHandling
    /// URLSession continues with the next method of the server, and returns the response after the last one.
    case rejectProtectionSpace
    case use(UserCredential)
    /// The request fails with `URLError.userAuthenticationRequired`: the configured credential was refused, or there is no
    /// credential for a tunnel.
    case refuse

    /// Creates the response to a challenge.
    ///
    /// - Parameters:
    ///   - challenge: The challenge.
    ///   - users: The credentials for the proxy.
    ///   - usesSystemCredentials: ``TransportConfiguration/usesSystemCredentials``.
    init(to challenge: URLSessionLoginChallenge, users: ProxyUsers, usesSystemCredentials: Bool) {
        let candidates = challenge.isProxy ? users.candidates(for: challenge) : []
        if candidates.indices.contains(challenge.failureCount) {
            self = .use(candidates[challenge.failureCount])
        } else if challenge.isProxy, users.configured != nil {
            self = .refuse
        } else if challenge.method == .ticket {
            self = usesSystemCredentials ? .performDefaultHandling : .rejectProtectionSpace
        } else {
            self = challenge.isTunnel ? .refuse : .performDefaultHandling
        }
    }
}
