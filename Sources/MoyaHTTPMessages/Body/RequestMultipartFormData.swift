import Foundation

/// A `multipart/form-data` body (RFC 7578) to which parts are added.
///
/// Nothing is read before the body is encoded or sent. Errors of a part are thrown by ``body``, ``encode()`` and
/// ``writeEncodedData(to:)``, and include the name of the part. ``MultipartBody`` is the same as a value type.
open class RequestMultipartFormData {
    /// The size in bytes above which a body was written to a file.
    ///
    /// It is kept for source compatibility: bodies of any size are streamed.
    public static let encodingMemoryThreshold: UInt64 = 10_000_000

    /// The value of the request's `Content-Type`, with the boundary.
    open lazy var contentType: String = MultipartBody(boundary: boundary).contentType

    /// The boundary between the parts.
    public let boundary: String

    private let isBoundaryRandom: Bool
    private let fileManager: FileManager
    private var parts: [Result<MultipartBody.Part, MultipartError>] = []

    /// Creates a body without parts.
    ///
    /// - Parameters:
    ///   - fileManager: The file manager that determines the sizes of files, for ``contentLength``.
    ///   - boundary: A boundary that does not occur in the content; random by default. The bytes of the
    ///     parts are searched for it when the body is created, and files and streams while they are read.
    public init(fileManager: FileManager = .default, boundary: String? = nil) {
        self.fileManager = fileManager
        self.boundary = boundary ?? MultipartBody().boundary
        isBoundaryRandom = boundary == nil
    }

    /// The total length of the contents of all parts in bytes, without headers and boundaries.
    ///
    /// Unknown lengths, such as of a missing file, count as 0.
    public var contentLength: UInt64 {
        var sum: UInt64 = 0
        for case .success(let part) in parts {
            for segment in part.body.segments { sum = sum.addingClamped(length(of: segment)) }
        }
        return sum
    }

    /// The body for a request.
    ///
    /// Its streams can be sent once.
    ///
    /// - Throws: ``MultipartError`` for the first part that cannot be sent.
    public var body: HTTPBody {
        get throws {
            let parts = try parts.map { try $0.get() }
            return try MultipartBody(boundary: boundary, isRandom: isBoundaryRandom, parts: parts).body()
        }
    }

    /// Returns the body in memory, which is suitable for small bodies.
    ///
    /// It consumes the streams.
    ///
    /// - Throws: ``MultipartError``; ``RequestBodyError`` if a file or stream cannot be read, or if a part is an
    ///   async sequence.
    open func encode() throws -> Data { try body.collect() }

    /// Writes the body to a new file piece by piece.
    ///
    /// It consumes the streams. After a failure the file is removed.
    ///
    /// - Throws: ``MultipartError``, also if the file exists or cannot be written; ``RequestBodyError`` if a file
    ///   or stream cannot be read, or if a part is an async sequence.
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
    /// Adds bytes.
    ///
    /// File name and MIME type are omitted if `nil`.
    public func append(
        _ data: Data,
        withName name: String,
        fileName: String? = nil,
        mimeType: String? = nil
    ) {
        append(.data(data), withName: name, fileName: fileName, mimeType: mimeType)
    }

    /// Adds a file, with the name of the file and the media type of its extension.
    ///
    /// If the URL does not end with a name and an extension, encoding throws
    /// ``MultipartError/noFileName(part:file:)``.
    public func append(_ fileURL: URL, withName name: String) {
        append(Result { () throws(MultipartError) in try MultipartBody.Part(name: name, file: fileURL) })
    }

    /// Adds a file with another name.
    public func append(_ fileURL: URL, withName name: String, fileName: String, mimeType: String) {
        append(.file(fileURL), withName: name, fileName: fileName, mimeType: mimeType)
    }

    /// Adds an unopened stream that supplies exactly `length` bytes.
    ///
    /// An empty MIME type is omitted.
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

    /// Adds an unopened stream that supplies exactly `length` bytes, with custom headers.
    public func append(_ stream: InputStream, withLength length: UInt64, headers: HTTPHeaders) {
        let body = HTTPBody.stream(stream, length: Int64(clamping: length))
        append(.success(MultipartBody.Part(headers: headers, body: body)))
    }

    /// Adds a body.
    ///
    /// File name and MIME type are omitted if `nil`.
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
