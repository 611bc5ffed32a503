import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension URLError {
    /// Makes the one shape that every failed exchange has, whatever the transport.
    ///
    /// - Parameters:
    ///   - code: What a user of URLSession would expect.
    ///   - url: Where the request went; a user name and password in it are left out.
    ///   - reason: The localized description.
    ///   - cause: The engine's own error, found under `NSUnderlyingErrorKey`.
    package static func exchange(
        _ code: URLError.Code,
        url: URL?,
        reason: String? = nil,
        cause: (any Error)? = nil
    ) -> URLError {
        var info: [String: Any] = [NSLocalizedDescriptionKey: reason ?? text(for: code)]
        if let url = url?.withoutCredentials {
            info[NSURLErrorFailingURLErrorKey] = url
        }
        if let cause { info[NSUnderlyingErrorKey] = cause }
        return URLError(code, userInfo: info)
    }

    /// What every cancelled request ends with, however it was cancelled.
    package static func cancelled(url: URL?) -> URLError { exchange(.cancelled, url: url) }

    private static func text(for code: URLError.Code) -> String {
        switch code {
        case .badURL: "The URL is not valid."
        case .unsupportedURL: "The URL's scheme is not supported."
        case .cancelled: "The request was cancelled."
        case .timedOut: "The request timed out."
        case .cannotFindHost: "A server with the specified host name could not be found."
        case .cannotConnectToHost: "Could not connect to the server."
        case .networkConnectionLost: "The network connection was lost."
        case .notConnectedToInternet: "There is no network connection."
        case .badServerResponse: "The server answered with something that makes no sense."
        case .cannotParseResponse: "The server's answer is not HTTP that can be read."
        case .cannotDecodeContentData, .cannotDecodeRawData: "The response's content coding could not be decoded."
        case .dataLengthExceedsMaximum: "The response is larger than allowed."
        case .secureConnectionFailed: "A secure connection to the server could not be made."
        case .serverCertificateUntrusted: "The server's certificate is not trusted."
        case .serverCertificateHasBadDate: "The server's certificate has expired."
        case .serverCertificateNotYetValid: "The server's certificate is not valid yet."
        case .serverCertificateHasUnknownRoot: "The server's certificate was issued by nobody who is trusted."
        case .clientCertificateRequired: "The server wants a certificate of the client."
        case .clientCertificateRejected: "The server does not accept the client's certificate."
        case .userAuthenticationRequired: "The proxy wants a user name and a password."
        case .httpTooManyRedirects: "There were too many redirects."
        default: "The request failed (NSURLErrorDomain \(code.rawValue))."
        }
    }
}
