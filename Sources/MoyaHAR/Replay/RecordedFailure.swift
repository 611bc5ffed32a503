import Foundation
import MoyaHTTP

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Finds the error of a recorded exchange without a response.
package enum RecordedFailure {
    package static func code(of response: HAR.Response) -> URLError.Code {
        // Some platforms accept only known codes.
        if let code = response.errorCode { return (URLError.Code(rawValue: code) as URLError.Code?) ?? .unknown }
        let text = response.error ?? ""
        return names.first { text.contains($0.name) }?.code ?? .networkConnectionLost
    }

    /// The names of errors in Chromium.
    private static let names: [(name: String, code: URLError.Code)] = [
        ("ERR_ABORTED", .cancelled),
        ("ERR_CONNECTION_REFUSED", .cannotConnectToHost),
        ("ERR_CONNECTION_TIMED_OUT", .timedOut),
        ("ERR_TIMED_OUT", .timedOut),
        ("ERR_NAME_NOT_RESOLVED", .cannotFindHost),
        ("ERR_INTERNET_DISCONNECTED", .notConnectedToInternet),
        ("ERR_TOO_MANY_REDIRECTS", .httpTooManyRedirects),
        ("ERR_CERT_DATE_INVALID", .serverCertificateHasBadDate),
        ("ERR_CERT_AUTHORITY_INVALID", .serverCertificateHasUnknownRoot),
        ("ERR_CERT_", .serverCertificateUntrusted),
        ("ERR_SSL_", .secureConnectionFailed),
    ]
}
