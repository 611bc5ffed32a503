import Foundation

/// An error for a multipart body that cannot be created or written to a file.
///
/// Parts without a name are identified by their position, such as `#2`. Files that cannot be *read* cause a
/// ``RequestBodyError``.
public struct MultipartError: RequestDefinitionError, MatchableError, Sendable {
    /// The reason for the error.
    public enum Reason: Hashable, Sendable {
        /// The boundary does not consist of 1 to 70 characters that RFC 2046, section 5.1.1, allows, or ends with a
        /// space.
        case invalidBoundary(String)
        /// The name of the part contains NUL, where many receivers stop reading.
        case invalidName(part: String)
        /// The file name of the part contains NUL, where many receivers stop reading.
        case invalidFileName(part: String)
        /// The URL of the part's file does not end with a name and an extension, and no file name was given.
        case noFileName(part: String, file: URL)
        /// The media type of the part contains a line break, NUL, or leading or trailing whitespace.
        case invalidMIMEType(part: String)
        /// The part has a header with an invalid name, or with a value that contains a line break, NUL, or leading
        /// or trailing whitespace.
        case invalidHeader(part: String, header: String)
        /// The body of the part is compressed, but a part cannot have a content coding (RFC 7578, section 4.8).
        case compressedPart(part: String)
        /// The body of the part has trailers, which only a whole request can have.
        case trailersOfPart(part: String)
        /// The given boundary occurs in the part, which would end there for the receiver.
        case boundaryInPart(part: String, boundary: String)
        /// The output file is not a file URL.
        case notAFileURL(URL)
        /// The output file already exists.
        case fileExists(URL)
        /// The file could not be written; the code is an `errno`.
        case notWritable(URL, code: Int32)
    }

    /// The reason for the error.
    public let reason: Reason
    package var origin = ErrorOrigin()

    /// Creates an error.
    public init(_ reason: Reason) { self.reason = reason }
}

extension MultipartError {
    /// Creates an error with ``Reason/invalidBoundary(_:)``.
    public static func invalidBoundary(_ boundary: String) -> Self { Self(.invalidBoundary(boundary)) }
    /// Creates an error with ``Reason/invalidName(part:)``.
    public static func invalidName(part: String) -> Self { Self(.invalidName(part: part)) }
    /// Creates an error with ``Reason/invalidFileName(part:)``.
    public static func invalidFileName(part: String) -> Self { Self(.invalidFileName(part: part)) }
    /// Creates an error with ``Reason/noFileName(part:file:)``.
    public static func noFileName(part: String, file: URL) -> Self { Self(.noFileName(part: part, file: file)) }
    /// Creates an error with ``Reason/invalidMIMEType(part:)``.
    public static func invalidMIMEType(part: String) -> Self { Self(.invalidMIMEType(part: part)) }
    /// Creates an error with ``Reason/invalidHeader(part:header:)``.
    public static func invalidHeader(part: String, header: String) -> Self {
        Self(.invalidHeader(part: part, header: header))
    }
    /// Creates an error with ``Reason/compressedPart(part:)``.
    public static func compressedPart(part: String) -> Self { Self(.compressedPart(part: part)) }
    /// Creates an error with ``Reason/trailersOfPart(part:)``.
    public static func trailersOfPart(part: String) -> Self { Self(.trailersOfPart(part: part)) }
    /// Creates an error with ``Reason/boundaryInPart(part:boundary:)``.
    public static func boundaryInPart(part: String, boundary: String) -> Self {
        Self(.boundaryInPart(part: part, boundary: boundary))
    }
    /// Creates an error with ``Reason/notAFileURL(_:)``.
    public static func notAFileURL(_ url: URL) -> Self { Self(.notAFileURL(url)) }
    /// Creates an error with ``Reason/fileExists(_:)``.
    public static func fileExists(_ url: URL) -> Self { Self(.fileExists(url)) }
    /// Creates an error with ``Reason/notWritable(_:code:)``.
    public static func notWritable(_ url: URL, code: Int32) -> Self { Self(.notWritable(url, code: code)) }
}

extension MultipartError: MaskedError {
    /// A sentence that describes the problem, its location and a remedy.
    public var errorDescription: String? { text(sentence) }

    private var sentence: String {
        switch reason {
        case .invalidBoundary(let boundary):
            "\"\(boundary)\" cannot be a multipart boundary: use 1 to 70 letters, digits and '()+_,-./:=? or spaces, "
                + "not ending with a space, or omit it."
        case .invalidName(let part):
            "The name of part \"\(part)\" contains a NUL character: remove it."
        case .invalidFileName(let part):
            "The file name of part \"\(part)\" contains a NUL character: remove it."
        case .noFileName(let part, let file):
            "The URL \"\(file.withoutCredentials.absoluteString)\" for part \"\(part)\" has no file name with an "
                + "extension: specify a file name and a MIME type, too."
        case .invalidMIMEType(let part):
            "The MIME type of part \"\(part)\" has a line break, NUL or outer space: write it as in \"image/png\"."
        case .invalidHeader(let part, let header):
            "The header \"\(header)\" of part \"\(part)\" cannot be sent: its name must be letters, digits and "
                + "!#$%&'*+-.^_`|~, and its value must not have line breaks, NUL or surrounding whitespace."
        case .trailersOfPart(let part):
            "The body of the part \"\(part)\" has trailers, which a part cannot have: give them to the body of the request."
        case .compressedPart(let part):
            "Part \"\(part)\" cannot be compressed separately: compress the whole form, or do not compress the part."
        case .boundaryInPart(let part, let boundary):
            "Part \"\(part)\" contains the boundary \"\(boundary)\", where it would end for the receiver: give another "
                + "boundary, or omit it."
        case .notAFileURL(let url):
            "The body cannot be written to \"\(url.withoutCredentials.absoluteString)\": use the URL of a local file."
        case .fileExists(let url):
            "The body cannot be written to \"\(url.path)\", which exists already: use a file that does not exist."
        case .notWritable(let url, let code):
            "The body cannot be written to \"\(url.path)\": \(String(cString: strerror(code)))."
        }
    }
}
