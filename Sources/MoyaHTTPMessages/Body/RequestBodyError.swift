import Foundation

/// An error for a request body that could not be read, or did not have the declared length.
///
/// It is in `MoyaError.underlying` directly. Match its ``reason``; ``file`` and ``part`` contain the location.
/// Descriptions include the name of the file, but not its content.
public struct RequestBodyError: RequestDefinitionError, Sendable {
    /// The reason for the error.
    public enum Reason: Hashable, Sendable {
        /// The URL is not a file URL.
        case notAFileURL
        /// The file does not exist.
        case missing
        /// The file is a directory.
        case isDirectory
        /// The file is a device, a socket or a named pipe.
        case notARegularFile
        /// The process is not allowed to read the file.
        case notReadable
        /// The file had `expected` bytes when the body was opened, and `found` bytes when it was read.
        case sizeChanged(expected: Int64, found: Int64)
        /// A stream or sequence ended after `found` bytes, instead of the `declared` length.
        case tooShort(declared: Int64, found: Int64)
        /// A stream or sequence continued after `declared` bytes.
        case tooLong(declared: Int64)
        /// The content contains the boundary given for the form, at which the part would end for the receiver.
        case containsBoundary(String)
        /// The sum of the lengths exceeds 2^63 - 1.
        case lengthOverflow
        /// The stream or non-repeatable sequence was opened before, or the stream was already open when it was
        /// passed.
        case alreadyRead
        /// The next piece was requested from a reader while it was reading.
        case readConcurrently
        /// The body contains an async sequence, which synchronous code cannot read.
        case asynchronous
        /// The reading task was cancelled.
        case cancelled
        /// Reading failed, or the function for the trailers has thrown; ``RequestBodyError/underlyingError`` is the cause.
        case failed
        /// The field may not be in trailers (RFC 9110, section 6.5.1), because a recipient needs it before the body.
        case trailerNotAllowed(name: String)
    }

    /// The reason for the error.
    public let reason: Reason
    /// The name of the affected multipart part, if any.
    public let part: String?
    /// The affected file, if any.
    public let file: URL?
    /// The error of the file, stream or sequence.
    public let underlyingError: (any Error)?
    package var origin = ErrorOrigin()

    /// Creates an error.
    public init(_ reason: Reason, part: String? = nil, file: URL? = nil, underlyingError: (any Error)? = nil) {
        self.reason = reason
        self.part = part
        self.file = file
        self.underlyingError = underlyingError
    }
}

extension RequestBodyError: Equatable {
    /// Returns whether reason, part and file are equal, and the causes have the same domain and code.
    public static func == (lhs: RequestBodyError, rhs: RequestBodyError) -> Bool {
        guard lhs.reason == rhs.reason, lhs.part == rhs.part, lhs.file == rhs.file else { return false }
        let causes = [lhs, rhs].map { $0.underlyingError.map { $0 as NSError } }
        return causes[0]?.domain == causes[1]?.domain && causes[0]?.code == causes[1]?.code
    }
}

extension RequestBodyError: MaskedError {
    /// A sentence that describes the problem, its location and a remedy.
    public var errorDescription: String? { text(sentence) }

    private var sentence: String {
        let place = part.map { " of part \"\($0)\"" } ?? ""
        let file = file.map { " \"\($0.isFileURL ? $0.path : $0.withoutCredentials.absoluteString)\"" } ?? ""
        let body = "the request body\(place)"
        switch reason {
        case .notAFileURL:
            return "The URL\(file) for \(body) is not a file URL: use the URL of a local file."
        case .missing:
            return "The file\(file) for \(body) does not exist: create it before the request is sent."
        case .isDirectory:
            return "The file\(file) for \(body) is a directory: name a file in it."
        case .notARegularFile:
            return "The file\(file) for \(body) is a device, socket or named pipe: use a stream instead."
        case .notReadable:
            return "The file\(file) for \(body) is not readable by this process: change its permissions."
        case .sizeChanged(let expected, let found):
            return "The file\(file) for \(body) changed while it was being sent: it had \(expected) bytes, and now has "
                + "\(found). Send it when nothing writes to it."
        case .tooShort(let declared, let found):
            return "A source of \(body) ended after \(found) bytes, but \(declared) were declared: declare the real "
                + "length, or none."
        case .tooLong(let declared):
            return "A source of \(body) supplies more than the \(declared) bytes that were declared: declare the real "
                + "length, or none."
        case .containsBoundary(let boundary):
            return
                "\(file.isEmpty ? "A source" : "The file\(file)") of \(body) contains the boundary \"\(boundary)\", where "
                + "the part would end for the receiver: give another boundary, or omit it."
        case .lengthOverflow:
            return "The lengths declared for \(body) add up to more than can be sent: declare the real lengths, or "
                + "none."
        case .alreadyRead:
            return
                "A stream or sequence of \(body) has been opened before and cannot be read again: use a new one for "
                + "each request, or mark the sequence as repeatable."
        case .readConcurrently:
            return "A piece of \(body) was requested while another one was being read: request one after the other."
        case .asynchronous:
            return
                "An async sequence supplies \(body), so it cannot be built synchronously: send it as a body instead."
        case .cancelled:
            return "Reading \(body) was cancelled."
        case .failed:
            return "Reading \(file.isEmpty ? "" : "the file\(file) for ")\(body) failed: "
                + (underlyingError?.localizedDescription ?? "no cause was given.")
        case .trailerNotAllowed(let name):
            return "The field \"\(name)\" is not allowed in the trailers of \(body): send it in the headers, or omit "
                + "it."
        }
    }
}
