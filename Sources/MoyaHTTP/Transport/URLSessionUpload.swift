import Foundation

/// What URLSession is given as a request's body.
enum URLSessionBody: Equatable {
    case data(Data)
    /// A whole file, which URLSession reads, declares the length of, and reads again if it must.
    case file(URL)
    case stream

    /// Whether URLSession reads files itself. On Linux it ends the process, or waits for ever, when a file changes meanwhile.
    static let readsFiles = !isOnLinux

    /// Whether `Content-Length` can be set for a stream. On Linux libcurl would send it beside `Transfer-Encoding: chunked`.
    static let declaresLengths = !isOnLinux

    #if canImport(FoundationNetworking)
        private static let isOnLinux = true
    #else
        private static let isOnLinux = false
    #endif

    init(_ body: HTTPBody, readsFiles: Bool = Self.readsFiles) {
        if let data = body.data {
            self = .data(data)
        } else if readsFiles, let file = body.file {
            self = .file(file)
        } else {
            self = .stream
        }
    }
}

/// Gives URLSession the streams that it reads a request's body from: one for each time that it sends the request.
final class URLSessionUpload: Sendable {
    private let body: HTTPBody
    private let failed: @Sendable (RequestBodyError) -> Void
    private let streams = Locked<[URLSessionBodyStream]>([])

    /// - Parameter failed: Called when the body cannot be read. The task is to be cancelled then.
    init(_ body: HTTPBody, failed: @escaping @Sendable (RequestBodyError) -> Void) {
        self.body = body
        self.failed = failed
    }

    /// Makes the first stream. Nothing is read before ``start()``.
    ///
    /// - Returns: The stream, and how many bytes it has if that is known.
    /// - Throws: ``RequestBodyError``, or ``RequestValidationError/bodySequenceNotSupported``.
    func firstStream() throws -> (stream: InputStream, length: Int64?) {
        let reader = try body.open()
        let (stream, source) = try URLSessionBodyStream.make(from: reader, failed: failed)
        streams.withLock { $0.append(source) }
        return (stream, reader.length)
    }

    /// Begins to fill the first stream.
    func start() {
        for stream in streams.withLock({ $0 }) { stream.start() }
    }

    /// Makes a stream for a request that URLSession sends once more, as on a connection that turned out to be closed.
    ///
    /// - Returns: `nil` if the body cannot be read again; the upload has failed then.
    func nextStream() -> InputStream? {
        // What was read from the last stream is lost, and nothing more may be sent from it.
        for stream in streams.withLock({ $0 }) { stream.stop() }
        do {
            guard body.isRepeatable else { throw RequestBodyError(.alreadyRead) }
            let (stream, source) = try URLSessionBodyStream.make(from: body.open(), failed: failed)
            streams.withLock { $0.append(source) }
            source.start()
            return stream
        } catch {
            failed(error as? RequestBodyError ?? RequestBodyError(.alreadyRead))
            return nil
        }
    }

    /// Stops reading. Called when the task is over, and not before: a stream that is closed looks like one at its end, and
    /// URLSession would send the end of a body that is not whole.
    func close() {
        for stream in streams.withLock({ $0 }) { stream.close() }
    }
}
