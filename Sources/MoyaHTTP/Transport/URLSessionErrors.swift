import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension URLError {
    /// Brings URLSession's own error into the one shape, and its Linux variants to the codes of Apple's platforms.
    init(urlSessionError error: any Error, url: URL?) {
        let code = (error as? URLError)?.code ?? .unknown
        self = .exchange(
            URLError.code(forURLSession: code, text: (error as NSError).localizedDescription),
            url: url,
            cause: error
        )
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
            case .unknown where says("certificate"):
                return .serverCertificateUntrusted
            case .unknown where says("SSL", "TLS"):
                return .secureConnectionFailed
            case .unknown where says("Out of memory", "response headers", "header"):
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
