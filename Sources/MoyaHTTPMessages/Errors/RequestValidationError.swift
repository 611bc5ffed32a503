import Foundation

/// An error for a request that is invalid and has not been sent.
///
/// It is in `MoyaError.underlying` directly. Compare it, as in
/// `error as? RequestValidationError == .invalidURL("")`, or match its ``reason``. Descriptions include the
/// problem, the remedy and, if a provider sent the request, the target. They never include the value of a header,
/// which may be a secret.
public struct RequestValidationError: RequestDefinitionError, MatchableError, Sendable {
    /// The reason for the error.
    public enum Reason: Hashable, Sendable {
        /// The URL is missing or has no host.
        case invalidURL(String)
        /// The URL's scheme is neither `http` nor `https`.
        case unsupportedScheme(String)
        /// The method is not a token (RFC 9110, section 5.6.2), so it could change the request line.
        case invalidMethod(String)
        /// A header name is not a token (RFC 9110, section 5.6.2).
        case invalidHeaderName(String)
        /// The value of the named header contains a line break or another control character (RFC 9110, section
        /// 5.5).
        case invalidHeaderValue(name: String)
        /// The transport cannot send a body with this method: URLSession with GET, all transports with TRACE (RFC
        /// 9110, section 9.3.8).
        case bodyNotAllowed(method: String)
        /// URLSession on Linux cannot send an async sequence as a body; `NIOTransport` can.
        case bodySequenceNotSupported
        /// URLSession and AsyncHTTPClient cannot send trailers after a body; `NIOTransport` can.
        case trailersNotSupported
        /// The transport does not support upgrades to another protocol; `NIOTransport` does.
        case upgradeNotSupported
        /// A request for an upgrade has another method than GET, a body, or a protocol whose name is not a token (RFC 9110, section 7.8).
        case invalidUpgrade
    }

    /// The reason for the error.
    public let reason: Reason
    package var origin = ErrorOrigin()

    /// Creates an error.
    public init(_ reason: Reason) { self.reason = reason }
}

extension RequestValidationError {
    /// Creates an error with ``Reason/invalidURL(_:)``.
    public static func invalidURL(_ url: String) -> Self { Self(.invalidURL(url)) }
    /// Creates an error with ``Reason/unsupportedScheme(_:)``.
    public static func unsupportedScheme(_ scheme: String) -> Self { Self(.unsupportedScheme(scheme)) }
    /// Creates an error with ``Reason/invalidMethod(_:)``.
    public static func invalidMethod(_ method: String) -> Self { Self(.invalidMethod(method)) }
    /// Creates an error with ``Reason/invalidHeaderName(_:)``.
    public static func invalidHeaderName(_ name: String) -> Self { Self(.invalidHeaderName(name)) }
    /// Creates an error with ``Reason/invalidHeaderValue(name:)``.
    public static func invalidHeaderValue(name: String) -> Self { Self(.invalidHeaderValue(name: name)) }
    /// Creates an error with ``Reason/bodyNotAllowed(method:)``.
    public static func bodyNotAllowed(method: String) -> Self { Self(.bodyNotAllowed(method: method)) }
    /// An error with ``Reason/bodySequenceNotSupported``.
    public static let bodySequenceNotSupported = Self(.bodySequenceNotSupported)
    /// An error with ``Reason/trailersNotSupported``.
    public static let trailersNotSupported = Self(.trailersNotSupported)
    /// An error with ``Reason/upgradeNotSupported``.
    public static let upgradeNotSupported = Self(.upgradeNotSupported)
    /// An error with ``Reason/invalidUpgrade``.
    public static let invalidUpgrade = Self(.invalidUpgrade)
}

extension RequestValidationError: MaskedError {
    /// A sentence that describes the problem and a remedy.
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
            "A \(method) request cannot have a body here: choose another method, or put the parameters into the URL."
        case .bodySequenceNotSupported:
            "URLSession cannot send an async sequence on Linux: use NIOTransport, or send data or a file."
        case .trailersNotSupported:
            "The transport cannot send trailers after a body: use NIOTransport, or send the fields as headers."
        case .upgradeNotSupported:
            "The transport cannot upgrade a connection to another protocol: use NIOTransport."
        case .invalidUpgrade:
            "A request for an upgrade must be a GET without a body, and the name of the protocol must be a token."
        }
    }
}

/// An error that can be matched by value in a `case` or `catch`, as in `catch JSONEncoding.Error.nestedTooDeeply`.
public protocol MatchableError: Error, Equatable {}

extension MatchableError {
    /// Returns whether an error is equal to this one, for use in `case` and `catch`.
    public static func ~= (pattern: Self, error: any Error) -> Bool { error as? Self == pattern }
}

/// The place in an application that causes an error.
///
/// The code that creates a request knows the origin; the code that detects the error does not. Origins are for descriptions only:
/// any two origins are equal, so that comparisons of errors ignore them.
package struct ErrorOrigin: Equatable, Sendable {
    let text: String

    /// Creates an unknown origin.
    package init() { text = "" }

    /// Creates an origin for a target such as `GitHub.zen`, and the place in it to change, such as `` `headers` ``.
    package init(target: String, place: String) { text = "\(target): \(place): " }

    package static func == (lhs: ErrorOrigin, rhs: ErrorOrigin) -> Bool { true }
}

/// An error for an invalid request; its text can include the place in the application that causes the error.
package protocol RequestDefinitionError: Error {
    /// The place in the application, if known.
    var origin: ErrorOrigin { get set }
    /// The part of a target to change, such as `` `path` ``, if the error determines it.
    var place: String? { get }
}

extension RequestDefinitionError {
    package var place: String? { nil }

    /// Returns the text with the origin as its prefix, and with secrets in URLs masked.
    package func text(_ sentence: String) -> String {
        SecretMask.standard.maskingQueries(in: origin.text + sentence)
    }
}

extension HTTPMethod {
    /// Throws ``RequestValidationError/invalidMethod(_:)`` unless the method is a token (RFC 9110, section 5.6.2).
    package func validate() throws(RequestValidationError) {
        var text = rawValue
        let isToken = text.withUTF8 { bytes in !bytes.isEmpty && bytes.allSatisfy { $0.isToken } }
        guard isToken else { throw .invalidMethod(rawValue) }
    }
}
