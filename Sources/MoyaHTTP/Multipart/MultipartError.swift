import Foundation

/// A multipart body that cannot be put together or written to a file as asked.
///
/// Parts without a name of their own are called by their place, as in `#2`. Files that cannot be *read* are
/// ``RequestBodyError``s.
public struct MultipartError: RequestMistake, Equatable, Sendable {
    /// What is wrong.
    public enum Reason: Hashable, Sendable {
        /// The boundary is not 1 to 70 of the characters that RFC 2046, section 5.1.1, allows, or ends with a space.
        case invalidBoundary(String)
        /// The part's name has a NUL in it, after which many receivers stop reading.
        case invalidName(part: String)
        /// The part's file name has a NUL in it, after which many receivers stop reading.
        case invalidFileName(part: String)
        /// The URL of the part's file does not end with a name and an extension, and no name was given.
        case noFileName(part: String, file: URL)
        /// The part's media type has a line break, a NUL, or space around it.
        case invalidMIMEType(part: String)
        /// The part has a header whose name is no token, or whose value has a line break, a NUL, or space around it.
        case invalidHeader(part: String, header: String)
        /// The part's body is compressed as it is read, and a part has no header to say so (RFC 7578, section 4.8).
        case compressedPart(part: String)
        /// The file to write to is no file URL.
        case notAFileURL(URL)
        /// There is something already where the file is to be written.
        case fileExists(URL)
        /// The file could not be written; the code is an `errno`.
        case notWritable(URL, code: Int32)
    }

    /// What is wrong.
    public let reason: Reason
    package var origin: ErrorOrigin?

    /// Makes an error.
    public init(_ reason: Reason) { self.reason = reason }

    /// Whether the reasons are the same.
    public static func == (lhs: Self, rhs: Self) -> Bool { lhs.reason == rhs.reason }
}

extension MultipartError {
    /// ``Reason/invalidBoundary(_:)``
    public static func invalidBoundary(_ boundary: String) -> Self { Self(.invalidBoundary(boundary)) }
    /// ``Reason/invalidName(part:)``
    public static func invalidName(part: String) -> Self { Self(.invalidName(part: part)) }
    /// ``Reason/invalidFileName(part:)``
    public static func invalidFileName(part: String) -> Self { Self(.invalidFileName(part: part)) }
    /// ``Reason/noFileName(part:file:)``
    public static func noFileName(part: String, file: URL) -> Self { Self(.noFileName(part: part, file: file)) }
    /// ``Reason/invalidMIMEType(part:)``
    public static func invalidMIMEType(part: String) -> Self { Self(.invalidMIMEType(part: part)) }
    /// ``Reason/invalidHeader(part:header:)``
    public static func invalidHeader(part: String, header: String) -> Self {
        Self(.invalidHeader(part: part, header: header))
    }
    /// ``Reason/compressedPart(part:)``
    public static func compressedPart(part: String) -> Self { Self(.compressedPart(part: part)) }
    /// ``Reason/notAFileURL(_:)``
    public static func notAFileURL(_ url: URL) -> Self { Self(.notAFileURL(url)) }
    /// ``Reason/fileExists(_:)``
    public static func fileExists(_ url: URL) -> Self { Self(.fileExists(url)) }
    /// ``Reason/notWritable(_:code:)``
    public static func notWritable(_ url: URL, code: Int32) -> Self { Self(.notWritable(url, code: code)) }
}

extension MultipartError: LocalizedError {
    /// What is wrong, where, and what to do.
    public var errorDescription: String? { text(sentence) }

    private var sentence: String {
        switch reason {
        case .invalidBoundary(let boundary):
            "\"\(boundary)\" cannot be a multipart boundary: give 1 to 70 letters, digits and '()+_,-./:=? or spaces, the "
                + "last no space, or give none."
        case .invalidName(let part):
            "The name of part \"\(part)\" has a NUL character in it: leave it out."
        case .invalidFileName(let part):
            "The file name of part \"\(part)\" has a NUL character in it: leave it out."
        case .noFileName(let part, let file):
            "The URL \"\(file.withoutCredentials.absoluteString)\" for part \"\(part)\" has no file name with an "
                + "extension: give a file name and a MIME type, too."
        case .invalidMIMEType(let part):
            "The MIME type of part \"\(part)\" has a line break, a NUL or space around it: give it as in \"image/png\"."
        case .invalidHeader(let part, let header):
            "The header \"\(header)\" of part \"\(part)\" cannot be sent: its name must be letters, digits and "
                + "!#$%&'*+-.^_`|~, and its value must have no line break, no NUL and no space around it."
        case .compressedPart(let part):
            "Part \"\(part)\" cannot be compressed by itself: compress the whole form, or give the part as it is."
        case .notAFileURL(let url):
            "The body cannot be written to \"\(url.withoutCredentials.absoluteString)\": give the URL of a local file."
        case .fileExists(let url):
            "The body cannot be written to \"\(url.path)\", where something is already: name a file that does not exist."
        case .notWritable(let url, let code):
            "The body cannot be written to \"\(url.path)\": \(String(cString: strerror(code)))."
        }
    }
}
