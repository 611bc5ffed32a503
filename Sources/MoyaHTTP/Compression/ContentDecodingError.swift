import Foundation

/// What is wrong with a body whose content coding (RFC 9110, section 8.4) was to be undone.
///
/// It is found under `NSUnderlyingErrorKey` of an `URLError` with the code `.cannotDecodeContentData`, or
/// `.dataLengthExceedsMaximum` for ``sizeExceeded(limit:)``.
public enum ContentDecodingError: Error, Equatable, Sendable {
    /// The body is not in the format of this coding, or its checksum is wrong, or something follows its end.
    case corrupt(ContentCoding)
    /// The body is over before its coding is.
    case truncated
    /// The body became more than ``ContentDecodingLimits/ratio`` times as long.
    case ratioExceeded(limit: Int)
    /// The body became longer than ``ContentDecodingLimits/size``, in bytes.
    case sizeExceeded(limit: Int64)
    /// The response names more than five codings.
    case tooManyCodings
    /// The response has a coding with this name, which is not decoded here and was not asked for.
    ///
    /// A request with an `Accept-Encoding` of its own that names the coding gets such a body as it is.
    case unsupported(String)
    /// zlib cannot work.
    case zlib(ZlibError)
}

extension ContentDecodingError: LocalizedError {
    /// What is wrong, and what to do about it.
    public var errorDescription: String? {
        switch self {
        case .corrupt(let coding):
            "The response's \(coding.rawValue) data is damaged: try again, or ask for \"Accept-Encoding: identity\"."
        case .truncated:
            "The response's data ends too early for its content coding: try again."
        case .ratioExceeded(let limit):
            "The response becomes more than \(limit) times as long when it is decoded: if that is to be expected, "
                + "raise ContentDecodingLimits.ratio."
        case .sizeExceeded(let limit):
            "The response has more than \(limit) bytes when it is decoded: if that is to be expected, "
                + "raise ContentDecodingLimits.size."
        case .tooManyCodings:
            "The response names more than \(ContentCoding.maximumCount) content codings: "
                + "ask for \"Accept-Encoding: identity\"."
        case .unsupported(let name):
            "The response has the content coding \"\(name.prefix(50))\", which was not asked for and can't be decoded: "
                + "ask for \"Accept-Encoding: identity\", or name the coding there to get the data as it is."
        case .zlib(let error):
            error.errorDescription
        }
    }
}
