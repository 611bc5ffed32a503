import Foundation

/// The form in which URLSession gets a request body.
enum URLSessionBody: Equatable {
    case data(Data)
    /// A whole file.
    ///
    /// URLSession reads it, sets its length, and reads it again if necessary.
    case file(URL)
    case stream

    /// Whether URLSession can read files itself.
    ///
    /// On Linux it crashes or hangs if a file changes in the meantime.
    static let canReadFiles = !isOnLinux

    /// Whether `Content-Length` can be set for a stream.
    ///
    /// On Linux libcurl would send it in addition to `Transfer-Encoding: chunked`.
    static let canDeclareLengths = !isOnLinux

    #if canImport(FoundationNetworking)
    private static let isOnLinux = true
    #else
    private static let isOnLinux = false
    #endif

    init(_ body: HTTPBody, canReadFiles: Bool = Self.canReadFiles) {
        if let data = body.data {
            self = .data(data)
        } else if canReadFiles, let file = body.file {
            self = .file(file)
        } else {
            self = .stream
        }
    }
}

/// The streams from which URLSession reads a request body: one for each time that it sends the request.
final class URLSessionUpload: Sendable {
    private let body: HTTPBody
    private let failed: @Sendable (RequestBodyError) -> Void
    private let streams = Locked<[URLSessionBodyStream]>([])

    /// Creates an upload.
    ///
    /// `failed` is called if the body cannot be read; the task must be cancelled then.
    init(_ body: HTTPBody, failed: @escaping @Sendable (RequestBodyError) -> Void) {
        self.body = body
        self.failed = failed
    }

    /// Returns the first stream and its length if known.
    ///
    /// Nothing is read before ``start()``.
    ///
    /// - Parameter lengths: The lengths of the body's segments, if its files have been checked.
    /// - Returns: The stream and its length.
    /// - Throws: ``RequestBodyError``, or ``RequestValidationError/bodySequenceNotSupported``.
    func firstStream(with lengths: HTTPBody.SegmentLengths? = nil) throws -> (stream: InputStream, length: Int64?) {
        let reader = try body.open(with: lengths)
        let (stream, source) = try URLSessionBodyStream.make(from: reader, failed: failed)
        streams.withLock { $0.append(source) }
        return (stream, reader.length)
    }

    /// Starts filling the first stream.
    func start() {
        for stream in streams.withLock({ $0 }) { stream.start() }
    }

    /// Returns a stream for sending the request again, for example after the connection turned out to be closed.
    ///
    /// If the body cannot be read again, the upload fails, and the method returns a stream that fails, or `nil` on Apple
    /// platforms.
    func nextStream() -> InputStream? {
        // The data read from the last stream is lost, and nothing more may be sent from it.
        for stream in streams.withLock({ $0 }) { stream.stop() }
        do {
            guard body.isRepeatable else { throw RequestBodyError(.alreadyRead) }
            let (stream, source) = try URLSessionBodyStream.make(from: body.open(), failed: failed)
            streams.withLock { $0.append(source) }
            source.start()
            return stream
        } catch {
            let error = error as? RequestBodyError ?? RequestBodyError(.alreadyRead)
            failed(error)
            #if canImport(FoundationNetworking)
            return URLSessionBodyStream.failing(with: error)
            #else
            return nil
            #endif
        }
    }

    /// Stops reading.
    ///
    /// Call it only when the task has completed: URLSession would interpret a closed stream as the end of the body.
    func close() {
        for stream in streams.withLock({ $0 }) { stream.close() }
    }
}
