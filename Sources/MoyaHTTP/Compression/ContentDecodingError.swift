import Foundation

/// An error in decoding the content coding of a body (RFC 9110, section 8.4).
///
/// It is the `NSUnderlyingErrorKey` of a `URLError` with the code `.cannotDecodeContentData`, or
/// `.dataLengthExceedsMaximum` for ``sizeExceeded(limit:)``.
public enum ContentDecodingError: Error, Equatable, Sendable {
    /// The body is not valid in this coding, its checksum is wrong, or data follows its end.
    case corrupt(ContentCoding)
    /// The body ends before its coded data is complete.
    case truncated
    /// The body grew by more than ``ContentDecodingLimits/ratio``.
    case ratioExceeded(limit: Int)
    /// The body exceeds ``ContentDecodingLimits/size``, in bytes.
    case sizeExceeded(limit: Int64)
    /// The response has more than five codings.
    case tooManyCodings
    /// The response has a coding with this name, which is not supported and which the request did not accept.
    ///
    /// A request whose `Accept-Encoding` contains the coding gets such a body without decoding.
    case unsupported(String)
    /// zlib failed.
    case zlib(ZlibError)
}

extension ContentDecodingError: LocalizedError {
    /// A sentence that describes the problem and a remedy.
    public var errorDescription: String? {
        switch self {
        case .corrupt(let coding):
            "The response's \(coding.rawValue) data is damaged: try again, or request \"Accept-Encoding: identity\"."
        case .truncated:
            "The response's encoded data is incomplete: try again."
        case .ratioExceeded(let limit):
            "The response becomes more than \(limit) times as long when it is decoded: if that is expected, "
                + "increase ContentDecodingLimits.ratio."
        case .sizeExceeded(let limit):
            "The response has more than \(limit) bytes when it is decoded: if that is expected, "
                + "increase ContentDecodingLimits.size."
        case .tooManyCodings:
            "The response has more than \(ContentCoding.maximumCount) content codings: "
                + "request \"Accept-Encoding: identity\"."
        case .unsupported(let name):
            "The response has the content coding \"\(name.prefix(50))\", which was not requested and can't be decoded: "
                + "request \"Accept-Encoding: identity\", or include the coding there to get the data without decoding."
        case .zlib(let error):
            error.errorDescription
        }
    }
}
