import Foundation

/// A request's body: bytes, a file, a stream, an async sequence, or several of them one after the other.
///
/// Nothing is read before the request is sent, and only a piece of it is in memory at a time. Two bodies are equal if
/// they are put together in the same way: from the same bytes, from files with the same URL, from the same stream or
/// the same sequence (a copy of a body is equal to it).
public struct HTTPBody: Sendable, Hashable {
    package let segments: [BodySegment]
    /// Whether what is read is compressed.
    private(set) var isGzipped = false
    /// Told how many bytes have been read, before they are compressed, and how many there are.
    private(set) var observer: Observer?
    /// Shown the pieces as they leave.
    private(set) var watcher: Watcher?

    /// Makes a body of the given segments, one after the other.
    package init(segments: [BodySegment]) { self.segments = BodySegment.merging(segments) }

    /// A body of bytes.
    public static func data(_ data: Data) -> HTTPBody { HTTPBody(segments: [.bytes(data)]) }

    /// A body that is what a regular file contains at the time it is sent.
    ///
    /// Directories, devices, sockets and named pipes are refused when the body is opened: their length is not known, and
    /// to open one may wait for ever. Give a named pipe as a stream.
    public static func file(_ url: URL) -> HTTPBody { HTTPBody(segments: [BodySegment(.file(url.absoluteURL))]) }

    /// A body that a stream supplies, once.
    ///
    /// - Parameters:
    ///   - stream: Not opened yet; it is opened, read and closed here, and must not be used elsewhere from now on.
    ///   - length: How many bytes the stream will supply; `nil` or less than zero if that is not known. If it is given,
    ///     the stream is read to its end before the last bytes are sent, so that a wrong length is noticed.
    public static func stream(_ stream: InputStream, length: Int64? = nil) -> HTTPBody {
        HTTPBody(segments: [BodySegment(.stream(BodyStream(stream, length: length)))])
    }

    /// A body that an async sequence of bytes in portions supplies: of `Data`, `[UInt8]`, buffer views and the like.
    ///
    /// - Parameters:
    ///   - sequence: Iterated when the body is read. It should end when its task is cancelled.
    ///   - length: How many bytes the sequence will supply; `nil` or less than zero if that is not known. If it is given,
    ///     the sequence is read to its end before the last bytes are sent, so that a wrong length is noticed.
    ///   - isRepeatable: Whether each iteration supplies the same bytes anew. Without it the body can be sent once.
    public static func sequence<S: AsyncSequence & Sendable>(
        _ sequence: S,
        length: Int64? = nil,
        isRepeatable: Bool = false
    ) -> HTTPBody where S.Element: Collection & Sendable, S.Element.Element == UInt8 {
        let source = BodySequence(sequence, length: length, isRepeatable: isRepeatable)
        return HTTPBody(segments: [BodySegment(.sequence(source))])
    }

    /// Whether the body can be opened again, for a retry or a redirect: bytes and files can, streams cannot, sequences
    /// say so themselves.
    public var isRepeatable: Bool { segments.allSatisfy(\.isRepeatable) }

    /// The whole body if it is there in one piece, so that it need not be read.
    public var data: Data? {
        guard !isGzipped, observer == nil, watcher == nil else { return nil }
        switch segments.first?.content {
        case nil: return Data()
        case .bytes(let data) where segments.count == 1: return data
        default: return nil
        }
    }

    /// The file that the body is, if it is one whole file, and nobody looks on as it is read.
    var file: URL? {
        guard !isGzipped, observer == nil, watcher == nil, segments.count == 1,
            case .file(let url)? = segments.first?.content
        else { return nil }
        return url
    }

    /// The same body in gzip (RFC 1952), compressed as it is read. Its length is not known in advance.
    ///
    /// The request needs the header `Content-Encoding: gzip`. A body that is in gzip by this already stays as it is.
    public func gzipped() -> HTTPBody {
        var body = self
        body.isGzipped = true
        return body
    }

    /// The same body, telling how far it has been read each time it is.
    func observed(_ tell: @escaping @Sendable (_ read: Int64, _ length: Int64?) -> Void) -> HTTPBody {
        var body = self
        body.observer = Observer(tell: tell)
        return body
    }

    /// The same body, showing each piece as it leaves, compressed if it is, and `nil` at its end. Several may watch.
    ///
    /// - Parameter begin: Called each time the body is opened; what it returns is shown the pieces.
    package func watched(_ begin: @escaping @Sendable () -> (@Sendable (Data?) -> Void)) -> HTTPBody {
        var body = self
        guard let first = watcher?.begin else {
            body.watcher = Watcher(begin: begin)
            return body
        }
        // A transport that watches may hand the request to another one that does.
        body.watcher = Watcher {
            let (show, showToo) = (first(), begin())
            return { piece in
                show(piece)
                showToo(piece)
            }
        }
        return body
    }

    /// The same body without anyone who looks on.
    package var unobserved: HTTPBody {
        var body = self
        (body.observer, body.watcher) = (nil, nil)
        return body
    }

    /// Whoever looks on makes no difference to the body.
    struct Watcher: Hashable, Sendable {
        let begin: @Sendable () -> (@Sendable (Data?) -> Void)

        static func == (lhs: Watcher, rhs: Watcher) -> Bool { true }

        func hash(into hasher: inout Hasher) {}
    }

    /// Whoever looks on makes no difference to the body.
    struct Observer: Hashable, Sendable {
        let tell: @Sendable (Int64, Int64?) -> Void

        static func == (lhs: Observer, rhs: Observer) -> Bool { true }

        func hash(into hasher: inout Hasher) {}
    }
}
