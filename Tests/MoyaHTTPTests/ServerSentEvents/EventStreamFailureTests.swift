import Foundation
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Whether another attempt may succeed")
struct EventStreamFailureTests {
    @Test(
        "after a failure of the network or the server",
        arguments: [
            .networkConnectionLost, .cannotConnectToHost, .cannotFindHost, .dnsLookupFailed, .timedOut,
            .notConnectedToInternet, .badServerResponse, .cannotParseResponse, .secureConnectionFailed, .unknown,
            .cannotDecodeContentData, .dataNotAllowed, .internationalRoamingOff, .resourceUnavailable,
        ] as [URLError.Code]
    )
    func transient(_ code: URLError.Code) {
        #expect(EventStreamFailure(URLError(code)) == .transient)
        #expect(EventStreamFailure(URLError.make(code, url: nil)) == .transient)
    }

    @Test(
        "not after a cancellation, nor where it would be futile",
        arguments: [
            .cancelled, .badURL, .unsupportedURL, .httpTooManyRedirects, .redirectToNonExistentLocation,
            .userAuthenticationRequired, .userCancelledAuthentication, .appTransportSecurityRequiresSecureConnection,
            .serverCertificateUntrusted, .serverCertificateHasBadDate, .serverCertificateHasUnknownRoot,
            .serverCertificateNotYetValid, .clientCertificateRequired, .clientCertificateRejected,
            .dataLengthExceedsMaximum,
        ] as [URLError.Code]
    )
    func permanentCodes(_ code: URLError.Code) {
        #expect(EventStreamFailure(URLError(code)) == .permanent)
    }

    private struct Other: Error {}

    @Test("nor after an error that was made on this side")
    func ownErrors() {
        let errors: [any Error] = [
            StreamLimitError.lineTooLong(limit: 1), StreamLimitError.eventTooLarge(limit: 1), CancellationError(),
            RequestValidationError.invalidURL(""), EventStreamError.unexpectedStatus(500), Other(),
        ]
        for error in errors { #expect(EventStreamFailure(error) == .permanent, "\(error)") }
    }
}
