import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension URLError {
    /// Brings URLSession's own error into the one shape, and its Linux variants to the codes of Apple's platforms.
    init(urlSessionError error: any Error, url: URL?) {
        let plain = error as NSError
        // On Linux an NSError of this domain is no URLError, and the initializer may fail.
        let code: URLError.Code? = plain.domain == NSURLErrorDomain ? URLError.Code(rawValue: plain.code) : nil
        self = .exchange(
            URLError.code(forURLSession: code ?? .unknown, text: plain.localizedDescription),
            url: url,
            cause: code.map { URLError.withoutCredentials($0, plain.userInfo) } ?? error
        )
    }

    /// URLSession repeats the URL in its errors as it was given, user name and password included.
    private static func withoutCredentials(_ code: URLError.Code, _ info: [String: Any]) -> URLError {
        var info = info
        // The deprecated form of the next key.
        info["NSErrorFailingURLStringKey"] = nil
        info[NSURLErrorFailingURLErrorKey] = (info[NSURLErrorFailingURLErrorKey] as? URL)?.withoutCredentials
        return URLError(code, userInfo: info)
    }

    /// Foundation on Linux gives several of libcurl's errors a code that misleads; libcurl's text tells them apart.
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
            // The URL's scheme has been looked at before: what is unsupported is the answer.
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
