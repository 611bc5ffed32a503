import Foundation

/// A request that cannot be put on the wire as it is, found before anything was sent.
///
/// It stands in `MoyaError.underlying` directly. Texts name what is wrong, and never repeat a header's value: it may
/// be a secret.
public enum RequestValidationError: Error, Equatable, Sendable {
    /// The URL is missing or has no host.
    case invalidURL(String)
    /// The URL's scheme is neither `http` nor `https`.
    case unsupportedScheme(String)
    /// The method is no token (RFC 9110, section 5.6.2), so it could change the request line.
    case invalidMethod(String)
    /// A header's name is no token (RFC 9110, section 5.6.2).
    case invalidHeaderName(String)
    /// The value of the named header has a line break or another control character (RFC 9110, section 5.5).
    case invalidHeaderValue(name: String)
    /// The engine in use cannot send a body with this method: URLSession with a GET, any with a TRACE
    /// (RFC 9110, section 9.3.8).
    case bodyNotAllowed(method: String)
    /// URLSession on Linux cannot send a body that is an async sequence; the AsyncHTTPClient transport can.
    case bodySequenceNotSupported
}

extension RequestValidationError: LocalizedError {
    /// What is wrong, in one sentence.
    public var errorDescription: String? {
        switch self {
        case .invalidURL(let url):
            "The URL \"\(url)\" is not absolute: give it a scheme and a host, as in \"https://example.com\"."
        case .unsupportedScheme(let scheme):
            "URLs with the scheme \"\(scheme)\" are not supported: use \"http\" or \"https\"."
        case .invalidMethod(let method):
            "\"\(method)\" is not an HTTP method: a method is letters, digits and !#$%&'*+-.^_`|~, without spaces."
        case .invalidHeaderName(let name):
            "\"\(name)\" is not a header name: a name is letters, digits and !#$%&'*+-.^_`|~, without spaces."
        case .invalidHeaderValue(let name):
            "The value of the header \"\(name)\" has a line break or another control character."
        case .bodyNotAllowed(let method):
            "A \(method) request cannot carry a body here: choose another method, or put the parameters into the URL."
        case .bodySequenceNotSupported:
            "URLSession cannot send an async sequence on Linux: use the AsyncHTTPClient transport, or send data or a file."
        }
    }
}
