import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Whether an event stream reconnects after a failure.
///
/// It does not after a cancellation, or if another attempt is known to be futile (WHATWG HTML, section 9.2.2).
package enum EventStreamFailure: Equatable, Sendable {
    /// A network or server failure; the next attempt may succeed.
    case transient
    /// The next attempt would fail in the same way, or is not wanted.
    case permanent

    /// Classifies the error that an exchange or the parser threw.
    ///
    /// Transports throw `URLError`. Any other error comes from the client (a check, a limit or an interceptor) and
    /// would occur again.
    package init(_ error: any Error) {
        guard let code = (error as? URLError)?.code else {
            self = .permanent
            return
        }
        self = Self.permanentCodes.contains(code) ? .permanent : .transient
    }

    private static let permanentCodes: Set<URLError.Code> = [
        .cancelled, .badURL, .unsupportedURL, .httpTooManyRedirects, .redirectToNonExistentLocation,
        .userAuthenticationRequired, .userCancelledAuthentication, .appTransportSecurityRequiresSecureConnection,
        .serverCertificateUntrusted, .serverCertificateHasBadDate, .serverCertificateHasUnknownRoot,
        .serverCertificateNotYetValid, .clientCertificateRequired, .clientCertificateRejected,
        .dataLengthExceedsMaximum,
    ]
}
