import Foundation
import HTTPTypes

/// A response body as an async sequence of chunks, which can be read once.
///
/// A slow reader slows down the server, because a transport buffers only a limited amount of data. Leaving the loop before
/// the end, or releasing an unread stream, cancels the exchange. After the end or an error, each further call of the iterator's
/// `next()` gets the same again, so that a reader that ignores an error does not take the body for complete.
public struct TransportBodyStream: AsyncSequence, Sendable {
    /// Returns the next chunk, or `nil` at the end.
    package typealias Next = @Sendable () async throws -> Data?

    /// An iterator over the chunks.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        let nextChunk: Next

        /// Returns the next chunk, or `nil` at the end.
        public mutating func next() async throws -> Data? { try await nextChunk() }
    }

    // The iterator takes the source, so that its lifetime is that of the reader and not of the stream.
    private let source: Locked<Source>

    private struct Source: Sendable {
        var next: Next?
        let trailers: (@Sendable () -> HTTPFields?)?
    }

    /// Creates a stream from a function that returns the next chunk, or `nil` at the end, or throws `URLError`, or
    /// the ``RequestBodyError`` of the request.
    ///
    /// Each call of the iterator's `next()` calls the function, which is released with the reader. After an error, the function must
    /// throw it again. A reader must not overlap these calls, because the stream does not order them; the streams of the transports
    /// throw `URLError.resourceUnavailable` then, and the other call continues. A stream that wraps another one passes the trailers
    /// of that stream on: `TransportBodyStream { … } trailers: { other.trailers }`.
    ///
    /// - Parameters:
    ///   - next: Returns the next chunk.
    ///   - trailers: Returns the trailer fields, `nil` before the end; it must not wait.
    public init(
        next: @escaping @Sendable () async throws -> Data?,
        trailers: (@Sendable () -> HTTPFields?)? = nil
    ) {
        source = Locked(Source(next: next, trailers: trailers))
    }

    /// Creates a stream from any body.
    public init(_ body: TransportBody) { self.init(body, trailers: HTTPFields()) }

    /// Creates a stream from the body of a response, with its trailers.
    package init(of response: TransportResponse) { self.init(response.body, trailers: response.trailers) }

    /// Creates a stream from any body; `trailers` belong to a complete body.
    private init(_ body: TransportBody, trailers: HTTPFields) {
        switch body {
        case .stream(let stream):
            self = stream
        case .complete(let data):
            // `nil` at the end.
            let rest = Locked<Data?>(data)
            self.init {
                rest.withLock { rest in
                    guard let data = rest, !data.isEmpty else {
                        rest = nil
                        return nil
                    }
                    rest = Data()
                    return data
                }
            } trailers: {
                rest.withLock { $0 == nil } ? trailers : nil
            }
        }
    }

    /// The trailer fields that followed the body (RFC 9110, section 6.5); `nil` until the body has been read to its end.
    ///
    /// They are empty if there were none. A stream whose source has no trailers may also return `nil` after the end.
    public var trailers: HTTPFields? {
        let trailers = source.withLock { $0.trailers }
        return trailers?()
    }

    /// Returns a stream with other chunks, and the trailers of this one.
    func replacingChunks(_ next: @escaping Next) -> TransportBodyStream {
        TransportBodyStream(next: next, trailers: source.withLock { $0.trailers })
    }

    /// Releases the source of an unread stream, which cancels the exchange even if the stream is still referenced.
    package func release() { _ = makeAsyncIterator() }

    /// Starts reading.
    ///
    /// A second iterator throws `URLError.resourceUnavailable`.
    public func makeAsyncIterator() -> Iterator {
        let next = source.withLock { source in
            defer { source.next = nil }
            return source.next
        }
        return Iterator(nextChunk: next ?? { throw URLError.readTwice })
    }
}

extension URLError {
    fileprivate static var readTwice: URLError {
        .make(
            .resourceUnavailable,
            url: nil,
            reason: "The response's body has been read already; it can be read only once."
        )
    }
}
