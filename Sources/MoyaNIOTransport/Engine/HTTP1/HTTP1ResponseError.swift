import Foundation

/// An error in the bytes of a response (RFC 9112).
enum HTTP1ResponseError: TransportFailure, Equatable, CustomStringConvertible {
    /// The response does not start with `HTTP/`.
    case notHTTP
    /// The version is neither 1.0 nor 1.1.
    case unsupportedVersion
    case invalidStatusLine
    /// A line has no colon, begins with a space, or has a name that resembles one that determines the framing and
    /// is not a token.
    case invalidFieldName
    /// The value of the named field contains CR or NUL.
    case invalidFieldValue(name: String)
    case headTooLarge
    case tooManyFields
    case trailersTooLarge
    case tooManyInterimResponses
    /// A `Content-Length` is not a number or too large, or there are several different ones.
    case invalidContentLength
    /// The codings of `Transfer-Encoding` do not end in `chunked`, which is the only supported coding.
    case unsupportedTransferCoding(String)
    /// The size of a chunk is not a number or too large, or a line break is missing.
    case invalidChunk
    case chunkLineTooLong
    /// The connection was closed before the response was complete.
    case truncated

    var urlErrorCode: URLError.Code { self == .truncated ? .networkConnectionLost : .cannotParseResponse }

    var reason: String? { self == .notHTTP ? nil : description }

    var description: String {
        switch self {
        case .notHTTP: "The response is not HTTP."
        case .unsupportedVersion: "The response's version is neither HTTP/1.0 nor HTTP/1.1."
        case .invalidStatusLine: "The response's status line is invalid."
        case .invalidFieldName: "A field of the response has an invalid name."
        case .invalidFieldValue(let name): "The response's field \"\(name)\" has an invalid value."
        case .headTooLarge: "The response's head is larger than \(HTTP1Limits.head) bytes."
        case .tooManyFields: "The response has more than \(HTTP1Limits.fields) fields."
        case .trailersTooLarge: "The response's trailers are larger than \(HTTP1Limits.trailers) bytes."
        case .tooManyInterimResponses:
            "The server has sent more than \(InterimResponseBudget.limit) bytes of interim responses in ten seconds."
        case .invalidContentLength: "The response's Content-Length is invalid."
        case .unsupportedTransferCoding(let coding):
            "The response's transfer coding \"\(coding)\" is not supported; only \"chunked\" is."
        case .invalidChunk: "The response's chunked body is invalid."
        case .chunkLineTooLong:
            "A chunk of the response's body begins with a line that is too long, or too many of them have extensions."
        case .truncated: "The connection was closed before the response was complete."
        }
    }
}
