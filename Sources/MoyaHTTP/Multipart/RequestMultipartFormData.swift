import Foundation

/// A `multipart/form-data` body (RFC 7578) that parts are added to one after the other.
///
/// Nothing is read before the body is encoded or sent. What is wrong with a part shows then: ``body``, ``encode()`` and
/// ``writeEncodedData(to:)`` throw it, and the error names the part. ``MultipartBody`` is the same as a value.
open class RequestMultipartFormData {
    /// The size in bytes from which a body used to be spooled to a file. Bodies are streamed whatever their size; it is
    /// here for code that names it.
    public static let encodingMemoryThreshold: UInt64 = 10_000_000

    /// The value of the request's `Content-Type`, with the boundary.
    open lazy var contentType: String = MultipartBody(boundary: boundary).contentType

    /// What stands between the parts.
    public let boundary: String

    private let fileManager: FileManager
    private var parts: [Result<MultipartBody.Part, MultipartError>] = []

    /// Makes a body without parts.
    ///
    /// - Parameters:
    ///   - fileManager: Used to look at the files that are added, for ``contentLength``.
    ///   - boundary: Must not occur in what is sent, and is checked when the body is made. Best left out: then it is a
    ///     random one.
    public init(fileManager: FileManager = .default, boundary: String? = nil) {
        self.fileManager = fileManager
        self.boundary = boundary ?? MultipartBody().boundary
    }

    /// The length of the contents of all parts in bytes, without what stands around them. What is not known, as of a
    /// missing file, counts as nothing.
    public var contentLength: UInt64 {
        var sum: UInt64 = 0
        for case .success(let part) in parts {
            for segment in part.body.segments { sum = sum.addingClamped(length(of: segment)) }
        }
        return sum
    }

    /// The body, for a request. Its streams can be sent once.
    ///
    /// - Throws: ``MultipartError`` for the first part that cannot be sent.
    public var body: HTTPBody {
        get throws { try MultipartBody(boundary: boundary, parts: parts.map { try $0.get() }).body() }
    }

    /// The body in memory, for small ones. Its streams are read by that.
    ///
    /// - Throws: ``MultipartError``; ``RequestBodyError`` if a file or stream cannot be read, or if a part is an async
    ///   sequence.
    open func encode() throws -> Data { try body.collected() }

    /// Writes the body to a new file, a piece at a time. Its streams are read by that. A failure leaves no file behind.
    ///
    /// - Throws: ``MultipartError``, also if the file exists or cannot be written; ``RequestBodyError`` if a file or
    ///   stream cannot be read, or if a part is an async sequence.
    open func writeEncodedData(to fileURL: URL) throws { try body.write(toNewFile: fileURL) }

    private func length(of segment: BodySegment) -> UInt64 {
        switch segment.content {
        case .bytes(let data): UInt64(data.count)
        case .stream(let stream): UInt64(stream.length ?? 0)
        case .sequence(let sequence): UInt64(sequence.length ?? 0)
        case .file(let url):
            (try? fileManager.attributesOfItem(atPath: url.resolvingSymlinksInPath().path)[.size] as? NSNumber)?
                .uint64Value ?? 0
        }
    }

    private func append(_ part: Result<MultipartBody.Part, MultipartError>) { parts.append(part) }
}

// MARK: - Adding parts

extension RequestMultipartFormData {
    /// Adds bytes. File name and MIME type are left out if they are not given.
    public func append(
        _ data: Data,
        withName name: String,
        fileName: String? = nil,
        mimeType: String? = nil
    ) {
        append(.data(data), withName: name, fileName: fileName, mimeType: mimeType)
    }

    /// Adds a file, with its own name and the media type that belongs to its extension.
    ///
    /// If the URL does not end with a name and an extension, encoding throws ``MultipartError/noFileName(part:file:)``.
    public func append(_ fileURL: URL, withName name: String) {
        append(Result { () throws(MultipartError) in try MultipartBody.Part(name: name, file: fileURL) })
    }

    /// Adds a file under another name.
    public func append(_ fileURL: URL, withName name: String, fileName: String, mimeType: String) {
        append(.file(fileURL), withName: name, fileName: fileName, mimeType: mimeType)
    }

    /// Adds a stream, which is not opened yet, and supplies exactly `length` bytes. An empty MIME type is left out.
    public func append(
        _ stream: InputStream,
        withLength length: UInt64,
        name: String,
        fileName: String,
        mimeType: String
    ) {
        let body = HTTPBody.stream(stream, length: Int64(clamping: length))
        append(body, withName: name, fileName: fileName, mimeType: mimeType)
    }

    /// Adds a stream, which is not opened yet, and supplies exactly `length` bytes, with headers of your own.
    public func append(_ stream: InputStream, withLength length: UInt64, headers: HTTPHeaders) {
        let body = HTTPBody.stream(stream, length: Int64(clamping: length))
        append(.success(MultipartBody.Part(headers: headers, body: body)))
    }

    /// Adds any body. File name and MIME type are left out if they are not given.
    public func append(
        _ body: HTTPBody,
        withName name: String,
        fileName: String? = nil,
        mimeType: String? = nil
    ) {
        append(.success(MultipartBody.Part(name: name, fileName: fileName, mimeType: mimeType, body: body)))
    }
}

extension UInt64 {
    fileprivate func addingClamped(_ other: UInt64) -> UInt64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
