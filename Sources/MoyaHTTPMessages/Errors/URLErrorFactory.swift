import Foundation

extension URLError {
    /// Creates the error of a failed exchange, in the same form for all transports.
    ///
    /// - Parameters:
    ///   - code: The code that a user of URLSession would expect.
    ///   - url: The URL of the request; user name and password are removed.
    ///   - reason: The localized description.
    ///   - cause: The error of the transport, stored under `NSUnderlyingErrorKey`.
    /// - Returns: The error.
    package static func make(
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

    /// Converts an `NSError` of Foundation's domain for URLs; `nil` for any other error.
    fileprivate init?(_ error: NSError) {
        // On Linux, a code exists only if Foundation has a name for it.
        guard error.domain == NSURLErrorDomain, let code = Code(rawValue: error.code) as Code? else { return nil }
        var info: [String: Any] = error.userInfo
        if info[NSLocalizedDescriptionKey] == nil { info[NSLocalizedDescriptionKey] = Self.text(for: code) }
        self.init(code, userInfo: info)
    }

    /// Returns the error of a cancelled request.
    package static func cancelled(url: URL?) -> URLError { make(.cancelled, url: url) }

    private static func text(for code: URLError.Code) -> String {
        switch code {
        case .badURL: "The URL is invalid."
        case .unsupportedURL: "The URL's scheme is not supported."
        case .cancelled: "The request was cancelled."
        case .timedOut: "The request timed out."
        case .cannotFindHost: "A server with the specified host name could not be found."
        case .cannotConnectToHost: "Could not connect to the server."
        case .networkConnectionLost: "The network connection was lost."
        case .notConnectedToInternet: "There is no network connection."
        case .badServerResponse: "The server's response is invalid."
        case .cannotParseResponse: "The server's response is not valid HTTP."
        case .cannotDecodeContentData, .cannotDecodeRawData: "The response's content coding could not be decoded."
        case .dataLengthExceedsMaximum: "The response is larger than allowed."
        case .secureConnectionFailed: "A secure connection to the server could not be established."
        case .serverCertificateUntrusted: "The server's certificate is not trusted."
        case .serverCertificateHasBadDate: "The server's certificate has expired."
        case .serverCertificateNotYetValid: "The server's certificate is not valid yet."
        case .serverCertificateHasUnknownRoot: "The server's certificate was issued by an unknown authority."
        case .clientCertificateRequired: "The server requires a client certificate."
        case .clientCertificateRejected: "The server does not accept the client's certificate."
        case .userAuthenticationRequired: "The proxy requires a user name and a password."
        case .httpTooManyRedirects: "There were too many redirects."
        default: "The request failed (NSURLErrorDomain \(code.rawValue))."
        }
    }
}

extension Error {
    /// This error as a `URLError`, if it is one or an equivalent `NSError`.
    ///
    /// On Linux, a cast does not convert an `NSError`.
    package var asURLError: URLError? {
        if let error = self as? URLError { return error }
        return URLError(self as NSError)
    }

    /// Whether the error reports a cancellation.
    package var isCancellation: Bool { self is CancellationError || asURLError?.code == .cancelled }
}
