import Foundation

/// A response whose body is read while it is received.
///
///     let response = try await provider.stream(.log)
///     for try await line in response.lines { print(line) }
///
/// The body is read once, in one of its forms: ``body``, ``lines`` or ``events``. A slow reader slows the server
/// down. Leaving the loop, cancelling its task, or releasing a response without reading it cancels the exchange.
public struct StreamingResponse: Sendable {
    /// The status, the request and the headers; its data is empty unless it is from a stub.
    public let response: Response
    /// The body, in chunks as they are received.
    public let body: StreamingBody

    init(_ response: Response, body: TransportBodyStream) {
        self.response = response
        self.body = StreamingBody(body, of: response)
    }

    /// Creates a response whose body is the data of another response, for mocks and tests.
    public init(_ response: Response) { self.init(response, body: TransportBodyStream(.complete(response.data))) }

    /// The status code.
    public var statusCode: Int { response.statusCode }

    /// The headers.
    public var headers: HTTPHeaders { response.headers }

    /// The trailer fields that followed the body (RFC 9110, section 6.5); `nil` until it has been read to its end.
    ///
    /// They are empty if the response had none. A transport without trailers may also return `nil` after the end: URLSession and
    /// AsyncHTTPClient have none.
    public var trailers: HTTPHeaders? { body.chunks.trailers?.combined }

    /// Unavailable: another name for ``body``.
    @available(*, unavailable, message: "Write `body`: its elements are chunks of bytes, as they arrive.")
    public var bytes: StreamingBody { body }

    /// The body as lines of UTF-8 text of at most 1 MiB each, without their ends (LF, CR LF or CR).
    public var lines: StreamingLines { lines(maximumLength: 1024 * 1024) }

    /// Returns the body as lines of UTF-8 text, without their ends (LF, CR LF or CR).
    ///
    /// - Parameter maximumLength: The maximum length of a line in bytes. A longer one ends the loop with
    ///   ``StreamLimitError/lineTooLong(limit:)`` in ``MoyaError/underlying(_:_:)``.
    /// - Returns: The lines.
    public func lines(maximumLength: Int) -> StreamingLines { StreamingLines(body: body, maximumLength: maximumLength) }

    /// The body as server-sent events of at most 1 MiB each (WHATWG HTML, section 9.2).
    ///
    /// The loop ends with the response, whatever the request's method; ``MoyaProvider/events(_:reconnection:maximumSize:)``
    /// reconnects.
    public var events: StreamingEvents { events(maximumSize: 1024 * 1024) }

    /// Returns the body as server-sent events (WHATWG HTML, section 9.2).
    ///
    /// - Parameter maximumSize: The maximum size of an event and of a line in bytes. A larger one ends the loop with
    ///   ``StreamLimitError`` in ``MoyaError/underlying(_:_:)``.
    /// - Returns: The events.
    public func events(maximumSize: Int) -> StreamingEvents { StreamingEvents(body: body, maximumSize: maximumSize) }
}

/// The body of a ``StreamingResponse``, in chunks as they are received.
public struct StreamingBody: AsyncSequence, Sendable {
    fileprivate let chunks: TransportBodyStream
    private let response: Response

    init(_ chunks: TransportBodyStream, of response: Response) {
        self.chunks = chunks
        self.response = response
    }

    /// An iterator over the chunks.
    public struct Iterator: AsyncIteratorProtocol {
        var chunks: TransportBodyStream.Iterator
        let response: Response

        /// Returns the next chunk, or `nil` at the end.
        ///
        /// - Throws: ``MoyaError/underlying(_:_:)`` with the `URLError` that ended the exchange, and the response.
        public mutating func next() async throws(MoyaError) -> Data? {
            do {
                return try await chunks.next()
            } catch {
                throw .underlying(error, response)
            }
        }

        func failure(_ error: any Error) -> MoyaError { .underlying(error, response) }
    }

    /// Starts reading; a second iterator fails with `URLError.resourceUnavailable`.
    public func makeAsyncIterator() -> Iterator {
        Iterator(chunks: chunks.makeAsyncIterator(), response: response)
    }
}

/// The lines of a ``StreamingResponse``.
public struct StreamingLines: AsyncSequence, Sendable {
    let body: StreamingBody
    let maximumLength: Int

    /// An iterator over the lines.
    public struct Iterator: AsyncIteratorProtocol {
        var chunks: StreamingBody.Iterator
        var splitter: LineSplitter
        var isAtEnd = false

        /// Returns the next line, or `nil` at the end; the last line needs no line end.
        ///
        /// - Throws: ``MoyaError``.
        public mutating func next() async throws(MoyaError) -> String? {
            while true {
                do throws(StreamLimitError) {
                    if let line = try splitter.next() { return line }
                } catch {
                    throw chunks.failure(error)
                }
                guard !isAtEnd else { return nil }
                if let chunk = try await chunks.next() {
                    splitter.push(chunk)
                } else {
                    isAtEnd = true
                    splitter.finish()
                }
            }
        }
    }

    /// Starts reading.
    public func makeAsyncIterator() -> Iterator {
        Iterator(
            chunks: body.makeAsyncIterator(),
            splitter: LineSplitter(ends: .newlines, maximumLength: maximumLength)
        )
    }
}

/// The server-sent events of a ``StreamingResponse``.
public struct StreamingEvents: AsyncSequence, Sendable {
    let body: StreamingBody
    let maximumSize: Int

    /// An iterator over the events.
    public struct Iterator: AsyncIteratorProtocol {
        var chunks: StreamingBody.Iterator
        var parser: EventStreamParser

        /// Returns the next event, or `nil` at the end; an incomplete event at the end is dropped.
        ///
        /// - Throws: ``MoyaError``.
        public mutating func next() async throws(MoyaError) -> ServerSentEvent? {
            while let output = try await nextOutput() {
                if case .event(let event) = output { return event }
            }
            return nil
        }

        mutating func nextOutput() async throws(MoyaError) -> EventStreamParser.Output? {
            while true {
                do throws(StreamLimitError) {
                    if let output = try parser.next() { return output }
                } catch {
                    throw chunks.failure(error)
                }
                guard let chunk = try await chunks.next() else { return nil }
                parser.push(chunk)
            }
        }
    }

    /// Starts reading.
    public func makeAsyncIterator() -> Iterator { makeAsyncIterator(lastEventID: "") }

    func makeAsyncIterator(lastEventID: String) -> Iterator {
        Iterator(
            chunks: body.makeAsyncIterator(),
            parser: EventStreamParser(
                lastEventID: lastEventID,
                maximumLineLength: maximumSize,
                maximumEventSize: maximumSize
            )
        )
    }
}
