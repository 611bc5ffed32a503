import Foundation

/// A response whose body is read while it is received.
///
///     let response = try await provider.stream(.log)
///     for try await line in response.lines { print(line) }
///
/// The body is read once, in one of its forms: ``body``, ``lines`` or ``events``. A slow reader slows the server
/// down. Leaving the loop, cancelling its task, or releasing a response without reading it cancels the exchange.
public struct StreamingResponse: Sendable {
    /// The status, the request and the headers; its data is empty unless it is from a stub, or a plugin has turned a rejected
    /// response into a success.
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
