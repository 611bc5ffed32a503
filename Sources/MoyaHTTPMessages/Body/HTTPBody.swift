import Foundation

/// A request body: bytes, a file, a stream, an async sequence, or a concatenation of these.
///
/// Nothing is read before the request is sent. Files, streams and sequences are read in pieces of at most 128 KiB, a few of which
/// may wait in memory to be sent.
///
/// Two bodies are equal if they consist of the same segments: the same bytes, files with the same URL, the same stream or the same
/// sequence. A compressed body is not equal to the uncompressed one, nor is a body with trailers to the one without them. A copy
/// of a body is equal to it.
public struct HTTPBody: Sendable, Hashable {
    package let segments: [BodySegment]
    /// Whether the body is compressed while it is read.
    package private(set) var isGzipped = false
    /// Receives the number of bytes read, before compression, and the length.
    package internal(set) var progressObserver: ProgressObserver?
    /// Receives the pieces as they are read to be sent.
    private(set) var pieceObserver: PieceObserver?
    /// Supplies the trailers at the end of the body.
    var trailerSource: TrailerSource?

    /// Creates a body that concatenates the segments.
    package init(segments: [BodySegment]) { self.segments = BodySegment.merging(segments) }

    /// Creates a body from bytes.
    public static func data(_ data: Data) -> HTTPBody { HTTPBody(segments: [.bytes(data)]) }

    /// Creates a body from the content of a regular file at the time of sending.
    ///
    /// Directories, devices, sockets and named pipes are rejected when the body is opened: their length is unknown,
    /// and opening them may block. Use a stream for a named pipe.
    public static func file(_ url: URL) -> HTTPBody { HTTPBody(segments: [BodySegment(.file(url.absoluteURL))]) }

    /// Creates a body from a stream, which can be sent once.
    ///
    /// - Parameters:
    ///   - stream: A stream that is not open. The body opens, reads and closes it; do not use it elsewhere.
    ///   - length: The number of bytes in the stream; `nil` or negative if unknown. If it is known, the stream is
    ///     read to its end before the last bytes are sent, to detect a wrong length.
    /// - Returns: The body.
    public static func stream(_ stream: InputStream, length: Int64? = nil) -> HTTPBody {
        HTTPBody(segments: [BodySegment(.stream(BodyStream(stream, length: length)))])
    }

    /// Creates a body from an async sequence of byte collections, such as `Data` or `[UInt8]`.
    ///
    /// - Parameters:
    ///   - sequence: The sequence, iterated when the body is read. It should end when its task is cancelled.
    ///   - length: The number of bytes in the sequence; `nil` or negative if unknown. If it is known, the sequence
    ///     is read to its end before the last bytes are sent, to detect a wrong length.
    ///   - isRepeatable: Whether each iteration supplies the same bytes. Otherwise the body can be sent once.
    /// - Returns: The body.
    public static func sequence<S: AsyncSequence & Sendable>(
        _ sequence: S,
        length: Int64? = nil,
        isRepeatable: Bool = false
    ) -> HTTPBody where S.Element: Collection & Sendable, S.Element.Element == UInt8 {
        let source = BodySequence(sequence, length: length, isRepeatable: isRepeatable)
        return HTTPBody(segments: [BodySegment(.sequence(source))])
    }

    /// Whether the body can be opened again, for a retry or a redirect.
    ///
    /// This is true for bytes and files, false for streams, and specified for sequences.
    public var isRepeatable: Bool { segments.allSatisfy(\.isRepeatable) }

    /// The whole body if it is in memory in one piece, uncompressed and without observers or trailers, so that it need not be read.
    public var data: Data? { progressObserver == nil ? dataInMemory : nil }

    /// The body, if it is short enough to be sent at once, so that it fits into the socket's buffer.
    ///
    /// A longer body is streamed even if it is in memory, since a server may respond before it has read all of it. The sender
    /// reports the progress of a body that it does not read (BodyProgress.swift).
    package var inlineData: Data? {
        guard let data = dataInMemory, data.count <= Self.inlineSize else { return nil }
        return data
    }

    /// The maximum number of bytes of a short body.
    package static let inlineSize = 32 * 1024

    private var dataInMemory: Data? {
        guard !isGzipped, pieceObserver == nil, trailerSource == nil else { return nil }
        switch segments.first?.content {
        case nil: return Data()
        case .bytes(let data) where segments.count == 1: return data
        default: return nil
        }
    }

    /// The file of the body, if the body is one uncompressed file without an observer and without trailers.
    package var file: URL? {
        guard !isGzipped, progressObserver == nil, pieceObserver == nil, trailerSource == nil, segments.count == 1,
            case .file(let url)? = segments.first?.content
        else { return nil }
        return url
    }

    /// Returns the body compressed with gzip (RFC 1952) while it is read.
    ///
    /// The length is not known in advance. The request needs a `Content-Encoding: gzip` header. A body that is
    /// already compressed by this method is returned unchanged.
    public func gzipped() -> HTTPBody {
        var body = self
        body.isGzipped = true
        return body
    }

    /// Returns the body with an observer that receives the pieces as sent (compressed, if the body is), and `nil` at its end.
    ///
    /// `begin` is called each time the body is opened; the function that it returns receives the pieces. A body can
    /// have several such observers.
    package func observingPieces(_ begin: @escaping @Sendable () -> (@Sendable (Data?) -> Void)) -> HTTPBody {
        var body = self
        guard let first = pieceObserver?.begin else {
            body.pieceObserver = PieceObserver(begin: begin)
            return body
        }
        // A transport that observes the body may pass the request to another one that does so, too.
        body.pieceObserver = PieceObserver {
            let (report, reportToo) = (first(), begin())
            return { piece in
                report(piece)
                reportToo(piece)
            }
        }
        return body
    }

    /// The body without observers.
    package var withoutObservers: HTTPBody {
        var body = self
        (body.progressObserver, body.pieceObserver) = (nil, nil)
        return body
    }

    /// An observer of the pieces.
    ///
    /// All observers are equal, but a body with an observer is not equal to a body without one.
    // A class, because it takes less space in each copy of a request.
    final class PieceObserver: Hashable, Sendable {
        let begin: @Sendable () -> (@Sendable (Data?) -> Void)

        init(begin: @escaping @Sendable () -> (@Sendable (Data?) -> Void)) { self.begin = begin }

        static func == (lhs: PieceObserver, rhs: PieceObserver) -> Bool { true }

        func hash(into hasher: inout Hasher) {}
    }
}

extension HTTPBody {
    /// Writes the body to a new file piece by piece.
    ///
    /// After a failure the file is removed.
    ///
    /// - Throws: ``MultipartError`` if the file exists or cannot be written, ``RequestBodyError`` if the body
    ///   cannot be read.
    func write(toNewFile url: URL) throws {
        // The file is created first, since opening the body consumes its streams.
        let file = try NewFile(url)
        let reader = try openWithoutWaiting()
        while let piece = try reader.nextBlocking() { try file.write(piece) }
        try file.finish()
    }

    /// Returns the whole body in memory.
    func collect() throws(RequestBodyError) -> Data {
        let reader = try openWithoutWaiting()
        var bytes = Data()
        while let piece = try reader.nextBlocking() { bytes.append(piece) }
        return bytes
    }

    /// Opens the body unless it contains an async sequence; in that case nothing is consumed.
    private func openWithoutWaiting() throws(RequestBodyError) -> Reader {
        for segment in segments {
            if case .sequence = segment.content { throw RequestBodyError(.asynchronous, part: segment.part) }
        }
        return try open()
    }
}
