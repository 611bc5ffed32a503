import Foundation
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Another attempt to read an event stream may succeed after some failures")
struct EventStreamFailureTests {
    @Test(
        "a failure of the network or the server is transient for an event stream",
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
        "a cancellation, and an error that would occur again, end an event stream",
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

    @Test("an error of the client ends an event stream")
    func ownErrors() {
        let errors: [any Error] = [
            StreamLimitError.lineTooLong(limit: 1), StreamLimitError.eventTooLarge(limit: 1), CancellationError(),
            RequestValidationError.invalidURL(""), EventStreamError.unexpectedStatus(500), Other(),
        ]
        for error in errors { #expect(EventStreamFailure(error) == .permanent, "\(error)") }
    }
}
