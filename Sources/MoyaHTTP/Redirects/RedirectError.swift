import Foundation

/// A redirect that is not allowed.
///
/// The error is the `NSUnderlyingErrorKey` of a `URLError`.
public enum RedirectError: Error, Equatable, Sendable {
    /// There were more than ``RedirectOptions/maximumCount`` redirects in a row; `URLError.httpTooManyRedirects`.
    case tooMany(maximum: Int)
    /// The same request was redirected before, and nothing has changed since; `URLError.httpTooManyRedirects`.
    case loop
    /// The URL is neither `http` nor `https`; `URLError.unsupportedURL`.
    case unsupportedScheme(String)
    /// The redirect leads from `https` to `http`; `URLError.appTransportSecurityRequiresSecureConnection`.
    case insecure
    /// The body would have to be sent again, but can be read only once; `URLError.requestBodyStreamExhausted`.
    case bodyNotRepeatable
}

extension RedirectError: MaskedError {
    /// A sentence that describes the problem and a remedy.
    public var errorDescription: String? {
        switch self {
        case .tooMany(let maximum):
            "The server redirected more than \(maximum) times in a row: increase maximumCount if that is expected."
        case .loop:
            "The server redirects in a loop: the same request was redirected before."
        case .unsupportedScheme(let scheme):
            "The server redirects to a URL with the scheme \"\(scheme)\", which is not supported: stop at it with a "
                + "redirect handler to read its Location."
        case .insecure:
            "The server redirects from https to http: allow it with allowsInsecure if nothing about it is secret."
        case .bodyNotRepeatable:
            "The server redirects a request with a body that can be read only once: send data, a file or a repeatable "
                + "sequence."
        }
    }

    var code: URLError.Code {
        switch self {
        case .tooMany, .loop: .httpTooManyRedirects
        case .unsupportedScheme: .unsupportedURL
        case .insecure: .appTransportSecurityRequiresSecureConnection
        case .bodyNotRepeatable: .requestBodyStreamExhausted
        }
    }
}

extension URLError {
    /// Creates the error for a redirect to this URL.
    static func redirect(_ error: RedirectError, url: URL) -> URLError {
        make(error.code, url: url, reason: error.errorDescription, cause: error)
    }
}
