/// The responses of an exchange whose bodies are often dropped.
///
/// A transport returns them with their heads, whatever the ``TransportRequest/responseBufferLimit``: their bodies may have
/// no end. `NIOTransport` nevertheless returns a short response as one value if it is complete at the end of the read that brought
/// its head.
package enum DroppableBodies: Sendable {
    /// No response: the value of a request that the redirect stage of a session has not created.
    case none
    /// Redirects, challenges, and refused expectations.
    case redirectsAndChallenges
    /// Redirects, challenges, and all errors, after which the request may be retried; a 304 is no redirect.
    case allButSuccesses

    /// Returns whether the body of a response with this status is often dropped.
    package func contains(status: Int) -> Bool {
        switch self {
        case .none: false
        case .redirectsAndChallenges: (300..<400).contains(status) && status != 304 || [401, 407, 417].contains(status)
        case .allButSuccesses: status >= 300 && status != 304
        }
    }
}
