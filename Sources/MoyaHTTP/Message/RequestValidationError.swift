import Foundation

/// A request that cannot be put on the wire as it is, found before anything was sent.
///
/// It stands in `MoyaError.underlying` directly. Compare it, as in `error as? RequestValidationError == .invalidURL("")`,
/// or look at its ``reason``. Texts name what is wrong and what to write instead, and the target where a provider was asked;
/// they never repeat a header's value: it may be a secret.
public struct RequestValidationError: RequestMistake, Equatable, Sendable {
    /// What is wrong.
    public enum Reason: Hashable, Sendable {
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
        /// URLSession on Linux cannot send a body that is an async sequence; `NIOTransport` can.
        case bodySequenceNotSupported
    }

    /// What is wrong.
    public let reason: Reason
    package var origin: ErrorOrigin?

    /// Makes an error.
    public init(_ reason: Reason) { self.reason = reason }

    /// Whether the reasons are the same.
    public static func == (lhs: Self, rhs: Self) -> Bool { lhs.reason == rhs.reason }

    /// Whether another error is this one, so that it can stand in a `case` or a `catch`.
    public static func ~= (pattern: Self, error: any Error) -> Bool { error as? Self == pattern }
}

extension RequestValidationError {
    /// ``Reason/invalidURL(_:)``
    public static func invalidURL(_ url: String) -> Self { Self(.invalidURL(url)) }
    /// ``Reason/unsupportedScheme(_:)``
    public static func unsupportedScheme(_ scheme: String) -> Self { Self(.unsupportedScheme(scheme)) }
    /// ``Reason/invalidMethod(_:)``
    public static func invalidMethod(_ method: String) -> Self { Self(.invalidMethod(method)) }
    /// ``Reason/invalidHeaderName(_:)``
    public static func invalidHeaderName(_ name: String) -> Self { Self(.invalidHeaderName(name)) }
    /// ``Reason/invalidHeaderValue(name:)``
    public static func invalidHeaderValue(name: String) -> Self { Self(.invalidHeaderValue(name: name)) }
    /// ``Reason/bodyNotAllowed(method:)``
    public static func bodyNotAllowed(method: String) -> Self { Self(.bodyNotAllowed(method: method)) }
    /// ``Reason/bodySequenceNotSupported``
    public static let bodySequenceNotSupported = Self(.bodySequenceNotSupported)
}

extension RequestValidationError: LocalizedError {
    /// What is wrong, and what to write instead.
    public var errorDescription: String? { text(sentence) }

    private var sentence: String {
        switch reason {
        case .invalidURL(let url) where URL(string: url)?.hasValidPort == false:
            "The port of \"\(url.prefix { $0 != "?" && $0 != "#" })\" is not in 1...65535: correct it, or leave it out."
        case .invalidURL(let url):
            "The URL \"\(url.prefix { $0 != "?" && $0 != "#" })\" is not absolute: give it a scheme and a host, as in \"https://example.com\"."
        case .unsupportedScheme(let scheme):
            "URLs with the scheme \"\(scheme)\" are not supported: use \"http\" or \"https\"."
        case .invalidMethod(let method):
            "\"\(method)\" is not an HTTP method: a method is letters, digits and !#$%&'*+-.^_`|~, without spaces."
        case .invalidHeaderName(let name):
            "\"\(name)\" is not a header name: a name is letters, digits and !#$%&'*+-.^_`|~, without spaces."
        case .invalidHeaderValue(let name):
            "The value of the header \"\(name)\" has a line break or another control character: leave it out, or "
                + "escape it."
        case .bodyNotAllowed(let method):
            "A \(method) request cannot carry a body here: choose another method, or put the parameters into the URL."
        case .bodySequenceNotSupported:
            "URLSession cannot send an async sequence on Linux: use NIOTransport, or send data or a file."
        }
    }
}
