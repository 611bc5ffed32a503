import Foundation

/// A response whose body is read as it comes.
///
///     let response = try await provider.stream(.log)
///     for try await line in response.lines { print(line) }
///
/// The body is read once, in one of its forms: ``body``, ``lines`` or ``events``. A slow reader slows the server down.
/// Leaving the loop, cancelling its task, or letting go of a response that nobody has begun to read closes the exchange.
public struct StreamingResponse: Sendable {
    /// The status, the request and the headers; its data is empty, but for a stub.
    public let response: Response
    /// The body, in chunks as they come.
    public let body: StreamingBody

    init(_ response: Response, body: TransportBodyStream) {
        self.response = response
        self.body = StreamingBody(body, of: response)
    }

    /// Makes a response whose body is there already: the data of the response. For mocks and tests.
    public init(_ response: Response) { self.init(response, body: TransportBodyStream(.complete(response.data))) }

    /// The status code.
    public var statusCode: Int { response.statusCode }

    /// The headers.
    public var headers: HTTPHeaders { response.headers }

    /// The body in lines of UTF-8 text, without their ends (LF, CR LF or CR). A line may have 1 MiB.
    public var lines: StreamingLines { lines(maximumLength: 1024 * 1024) }

    /// The body in lines of UTF-8 text, without their ends (LF, CR LF or CR).
    ///
    /// - Parameter maximumLength: How many bytes a line may have. A longer one ends the loop with
    ///   ``StreamLimitError/lineTooLong(limit:)`` in ``MoyaError/underlying(_:_:)``.
    public func lines(maximumLength: Int) -> StreamingLines { StreamingLines(body: body, maximumLength: maximumLength) }

    /// The body as server-sent events (WHATWG HTML, section 9.2). An event may have 1 MiB.
    ///
    /// The connection ends the loop; `MoyaProvider.events(_:reconnection:)` makes a new one.
    public var events: StreamingEvents { events(maximumSize: 1024 * 1024) }

    /// The body as server-sent events (WHATWG HTML, section 9.2).
    ///
    /// - Parameter maximumSize: How many bytes an event, or a line, may have. A larger one ends the loop with
    ///   ``StreamLimitError`` in ``MoyaError/underlying(_:_:)``.
    public func events(maximumSize: Int) -> StreamingEvents { StreamingEvents(body: body, maximumSize: maximumSize) }
}
