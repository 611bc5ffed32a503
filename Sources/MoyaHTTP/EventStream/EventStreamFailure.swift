import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Whether it makes sense to connect an event stream again after a failure (WHATWG HTML, section 9.2.2: not after a
/// cancellation, nor where it is known to be futile).
package enum EventStreamFailure: Equatable, Sendable {
    /// The network or the server; the next attempt may succeed.
    case transient
    /// The next attempt would fail in the same way, or is not wanted.
    case permanent

    /// Tells by the error that an exchange, or the parser, has thrown.
    ///
    /// Transports throw `URLError`. Any other error is made on this side, by a check, a limit or an interceptor, and
    /// would be made again.
    package init(_ error: any Error) {
        guard let code = (error as? URLError)?.code else {
            self = .permanent
            return
        }
        self = Self.futile.contains(code) ? .permanent : .transient
    }

    private static let futile: Set<URLError.Code> = [
        .cancelled, .badURL, .unsupportedURL, .httpTooManyRedirects, .redirectToNonExistentLocation,
        .userAuthenticationRequired, .userCancelledAuthentication, .appTransportSecurityRequiresSecureConnection,
        .serverCertificateUntrusted, .serverCertificateHasBadDate, .serverCertificateHasUnknownRoot,
        .serverCertificateNotYetValid, .clientCertificateRequired, .clientCertificateRejected,
        .dataLengthExceedsMaximum,
    ]
}
