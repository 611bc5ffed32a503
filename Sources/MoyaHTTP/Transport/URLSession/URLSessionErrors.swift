import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension URLError {
    /// Creates an error in the common form from an error of URLSession, with the codes of Apple platforms.
    init(urlSessionError error: any Error, url: URL?) {
        let plain = error as NSError
        // On Linux, an NSError of this domain is not a URLError, and the initializer may fail.
        let code: URLError.Code? = plain.domain == NSURLErrorDomain ? URLError.Code(rawValue: plain.code) : nil
        self = .make(
            URLError.code(forURLSession: code ?? .unknown, text: plain.localizedDescription),
            url: url,
            cause: code.map { URLError.withoutCredentials($0, plain.userInfo) } ?? error
        )
    }

    /// Returns the error without the user name and password that URLSession includes in the URL.
    private static func withoutCredentials(_ code: URLError.Code, _ info: [String: Any]) -> URLError {
        var info = info
        // The deprecated variant of the next key.
        info["NSErrorFailingURLStringKey"] = nil
        info[NSURLErrorFailingURLErrorKey] = (info[NSURLErrorFailingURLErrorKey] as? URL)?.withoutCredentials
        return URLError(code, userInfo: info)
    }

    /// Returns the actual code, since Foundation on Linux gives several errors of libcurl a misleading code.
    ///
    /// They are distinguished by libcurl's text.
    static func code(forURLSession code: URLError.Code, text: String) -> URLError.Code {
        #if canImport(FoundationNetworking)
            func says(_ parts: String...) -> Bool { parts.contains { text.contains($0) } }
            switch code {
            case .badServerResponse where says("Empty reply"):
                return .networkConnectionLost
            case .unknown where says("transfer closed", "Recv failure", "Send failure", "reset by peer"):
                return .networkConnectionLost
            case .unknown where says("content unencoding", "content encoding"):
                return .cannotDecodeContentData
            case .unknown where says("certificate"):
                return .serverCertificateUntrusted
            case .unknown where says("SSL", "TLS"):
                return .secureConnectionFailed
            case .unknown where says("Out of memory", "header"):
                return .cannotParseResponse
            // The scheme of the URL has been checked before, so the response is unsupported.
            case .unsupportedURL where says("HTTP version", "HTTP/0.9"):
                return .cannotParseResponse
            default:
                return code
            }
        #else
            return code
        #endif
    }
}
