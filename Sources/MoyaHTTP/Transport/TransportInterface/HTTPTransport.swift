import Foundation

@_exported import struct HTTPTypes.HTTPField
@_exported import struct HTTPTypes.HTTPFields

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A type that sends an HTTP request to a server and returns the response: the interface between a ``Session`` and an HTTP client
/// library.
///
/// ### Use
///
/// A session creates the default transport of the platform: `NIOTransport` on Linux, ``URLSessionTransport`` on
/// Apple platforms and if the package trait `NIO` is off. To select one, pass it to the session:
///
///     let session = Session(transport: URLSessionTransport())
///
/// ### Implement
///
/// Conform to the protocol to use another HTTP client library, or wrap a transport to observe or modify its requests:
///
///     struct CountingTransport: HTTPTransport {
///         let base: any HTTPTransport
///         let count: @Sendable () -> Void
///
///         func send(_ request: TransportRequest) async throws -> TransportResponse {
///             count()
///             return try await base.send(request)
///         }
///
///         func shutdown() async { await base.shutdown() }
///
///         func shutdown(grace: Duration) async -> ShutdownResult { await base.shutdown(grace: grace) }
///     }
///
/// A transport performs one exchange and nothing else. It
/// - sends method, headers and body unchanged, and adds only the headers that framing requires (`Host`,
///   `Content-Length`, `Connection`);
/// - does not follow redirects, store cookies, respond to the challenges of servers, cache or retry, which are tasks of the
///   session;
/// - makes its connections, including the handshake with a proxy: a CONNECT request, with the challenges of the proxy to
///   it, never reaches the session. If it has a credential for its proxy, it may also send it with a request in absolute
///   form (RFC 9112, section 3.2.2), and respond to a 407 with it;
/// - keeps trailers apart from headers, if it supports them;
/// - returns a response for any status, including errors;
/// - stops when its task is cancelled, and closes the connection, or resets the stream over HTTP/2;
/// - respects ``TransportRequest/idleTimeout`` and ``TransportRequest/totalTimeout``;
/// - reads a piece of the request body when there is room for it, and ends the exchange in the same way if the body fails,
///   so that the server detects the incomplete body;
/// - decodes no bodies, and sets ``TransportResponse/isDecoded`` to false, so that the session decodes them. A transport
///   over a library that decodes bodies leaves it true, and respects ``TransportRequest/decodingLimits``;
/// - throws `URLError`, with the original error under `NSUnderlyingErrorKey`, or the ``RequestBodyError`` of the body.
public protocol HTTPTransport: Sendable {
    /// Performs one exchange.
    ///
    /// - Parameter request: The request.
    /// - Returns: The response. Its body is complete if it has at most ``TransportRequest/responseBufferLimit``
    ///   bytes; otherwise it is a stream. An interrupted body is also a stream, which returns the received data and
    ///   then throws.
    /// - Throws: `URLError`; ``RequestBodyError`` if the body cannot be read; or ``RequestValidationError`` if the
    ///   transport cannot send the request.
    func send(_ request: TransportRequest) async throws -> TransportResponse

    /// Opens connections to the server of a URL, so that the next requests need not wait for them.
    ///
    /// The method returns when the connections are open, and does nothing if that many exist already. The default implementation
    /// does nothing, since requests open what they need: a transport that wraps another one must pass the call on.
    ///
    /// - Parameters:
    ///   - url: An `http` or `https` URL.
    ///   - connections: The number of connections.
    /// - Throws: `URLError` if the server cannot be reached.
    func preconnect(to url: URL, connections: Int) async throws

    /// Cancels running exchanges and releases all resources.
    ///
    /// Later requests fail; the transports of this package throw a `URLError` with a ``TransportShutdownError``. A session does
    /// not call it, since a transport can be shared by several sessions. A transport that owns its connections also closes them
    /// on deinitialization.
    func shutdown() async

    /// Refuses new requests, waits for the end of running exchanges, and then shuts down.
    ///
    /// Exchanges that are still running at the end of the grace period are cancelled. The period also ends if the task of
    /// the caller is cancelled. The default implementation calls ``shutdown()`` immediately, and returns a result without
    /// counts, since it does not know the running exchanges; ``Session/shutdown(grace:)`` waits over any transport. A
    /// transport that wraps another one must pass the call on.
    ///
    /// - Parameter grace: The maximum time to wait.
    /// - Returns: The outcome.
    @discardableResult
    func shutdown(grace: Duration) async -> ShutdownResult
}

extension HTTPTransport {
    /// Does nothing.
    public func preconnect(to url: URL, connections: Int) async throws {}

    /// Calls ``shutdown()`` immediately.
    @discardableResult
    public func shutdown(grace: Duration) async -> ShutdownResult {
        await shutdown()
        return ShutdownResult()
    }
}

/// A validated and complete request for a transport.
public struct TransportRequest: Sendable {
    /// The method, which is a token.
    public var method: HTTPMethod
    /// An absolute `http` or `https` URL.
    public var url: URL
    /// The headers to send, without those for framing.
    public var headers: HTTPFields
    /// The body, if any; it may be empty.
    public var body: HTTPBody?
    /// The maximum time without any data sent or received, after which the exchange fails with `URLError.timedOut`.
    ///
    /// Over `NIOTransport`, each byte of the server counts: those of interim responses, incomplete heads, chunk extensions and
    /// trailers as well. Over HTTP/2, these are the bytes of frames of the request's stream; frames of the connection, such as
    /// PING and SETTINGS, and those of other streams do not count. The ``totalTimeout`` bounds a server that sends a byte from
    /// time to time. Other transports count the data that they deliver.
    public var idleTimeout: Duration
    /// The maximum duration of the exchange, from the call of ``HTTPTransport/send(_:)`` to the last byte of the
    /// body.
    public var totalTimeout: Duration
    /// The maximum size in bytes of a response body that is returned as one value.
    ///
    /// With 0, the response is returned with its head.
    public var responseBufferLimit: Int
    /// The limits on the size of a decoded response body.
    public var decodingLimits: ContentDecodingLimits {
        get { details.decodingLimits }
        set { change { $0.decodingLimits = newValue } }
    }
    /// A callback for measurements, called when the request's head is sent on a connection.
    ///
    /// Some transports do not call it.
    public var onConnect: (@Sendable () -> Void)? {
        get { details.onConnect }
        set { change { $0.onConnect = newValue } }
    }
    /// A callback for each interim response with its status and headers, such as `102 (Processing)` and `103 (Early Hints)`
    /// (RFC 9110, section 15.2), before the response.
    ///
    /// It is called on any thread, and must not block. Not all transports support it: `NIOTransport` does, URLSession does on
    /// macOS 14, iOS 17 and later, and AsyncHTTPClient does not. `101 (Switching Protocols)` is an error.
    public var onInterimResponse: (@Sendable (_ status: Int, _ headers: HTTPFields) -> Void)? {
        get { details.onInterimResponse }
        set { change { $0.onInterimResponse = newValue } }
    }
    /// The value that the request was created from, such as the target of a provider.
    ///
    /// It does not affect what is sent, and is available to transports for tests.
    public var target: (any Sendable)? {
        get { details.target }
        set { change { $0.target = newValue } }
    }
    /// The original `URLRequest`.
    ///
    /// URLSession uses its properties that are not part of HTTP, such as `allowsCellularAccess`.
    var urlRequest: URLRequest? {
        get { details.urlRequest }
        set { change { $0.urlRequest = newValue } }
    }
    /// The session's proxy credential, for a transport that responds to a proxy's challenges itself.
    var proxyUser: UserCredential? {
        get { details.proxyUser }
        set { change { $0.proxyUser = newValue } }
    }
    /// The request's credential, for a transport that responds to the challenges of a proxy to CONNECT: ``HTTPTransport``.
    ///
    /// It is sent only after a challenge.
    var tunnelUser: UserCredential? {
        get { details.tunnelUser }
        set { change { $0.tunnelUser = newValue } }
    }
    /// The time since the request was first sent, if it is sent again: of several such requests, the oldest goes first.
    var age: Duration {
        get { details.age }
        set { change { $0.age = newValue } }
    }
    /// Whether the request is sent again after a lost connection or because it was not processed.
    ///
    /// Such a request gets priority, and does not use an idle connection, which may be stale, too.
    var isResent = false
    /// The time for which the request has waited for an equal request, to which the server sent nothing.
    ///
    /// This time counts as idle time until the server responds.
    var idleBefore = Duration.zero
    /// The responses that are returned with their heads, since the session often drops their bodies.
    var droppableBodies = DroppableBodies.none
    /// ``SessionOptions/refusesUnknownContentCodings``.
    var refusesUnknownContentCodings = false

    /// The rarely used properties, which are copied together.
    private struct Details: Sendable {
        var decodingLimits: ContentDecodingLimits
        var onConnect: (@Sendable () -> Void)?
        var onInterimResponse: (@Sendable (Int, HTTPFields) -> Void)?
        var target: (any Sendable)?
        var urlRequest: URLRequest?
        var proxyUser: UserCredential?
        var tunnelUser: UserCredential?
        var age = Duration.zero
    }

    private final class DetailsBox: Sendable {
        let details: Details

        init(_ details: Details) { self.details = details }
    }

    // One reference to all of them, because many stages copy the request.
    private var detailsBox: DetailsBox

    private var details: Details { detailsBox.details }

    private mutating func change(_ body: (inout Details) -> Void) {
        var details = detailsBox.details
        body(&details)
        detailsBox = DetailsBox(details)
    }

    /// Creates a request.
    ///
    /// A ``Session`` does this from a `URLRequest` after validating it.
    public init(
        method: HTTPMethod,
        url: URL,
        headers: HTTPFields = [:],
        body: HTTPBody? = nil,
        idleTimeout: Duration = .seconds(60),
        totalTimeout: Duration = .seconds(7 * 24 * 3600),
        responseBufferLimit: Int = TransportRequest.defaultResponseBufferLimit,
        decodingLimits: ContentDecodingLimits = ContentDecodingLimits()
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.idleTimeout = idleTimeout
        self.totalTimeout = totalTimeout
        self.responseBufferLimit = responseBufferLimit
        detailsBox = DetailsBox(Details(decodingLimits: decodingLimits))
    }

    /// Creates a request with the properties that a ``Session`` adds.
    init(
        method: HTTPMethod,
        url: URL,
        headers: HTTPFields,
        body: HTTPBody?,
        timeouts: (idle: Duration, total: Duration),
        responseBufferLimit: Int,
        decodingLimits: ContentDecodingLimits,
        urlRequest: URLRequest,
        target: (any Sendable)?
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        (idleTimeout, totalTimeout) = timeouts
        self.responseBufferLimit = responseBufferLimit
        detailsBox = DetailsBox(Details(decodingLimits: decodingLimits, target: target, urlRequest: urlRequest))
    }

    /// The default buffer limit of 64 KiB, with which most API responses are returned as one value.
    public static let defaultResponseBufferLimit = 65_536
}

/// The response of a server.
public struct TransportResponse: Sendable {
    /// The status code (RFC 9110, section 15).
    public var status: Int
    /// The headers in the order received.
    public var headers: HTTPFields
    /// The body.
    public var body: TransportBody {
        didSet { (mark, rest, isSaved) = (nil, nil, false) }
    }
    /// The trailer fields that followed the body (RFC 9110, section 6.5), if it is complete.
    ///
    /// If the body is a stream, ``TransportBodyStream/trailers`` has them.
    public var trailers: HTTPFields
    /// The version of HTTP, the reason phrase and the addresses of the connection; `nil` if the transport knows none of them, and
    /// for a response that is not from the network.
    public var info: ResponseInfo?
    /// Whether the content codings that `Content-Encoding` names have been removed from the body (RFC 9110, section 8.4).
    ///
    /// A transport that does not decode bodies sets it to false, and the session decodes them.
    public var isDecoded = true
    /// The request whose pipeline has read this body into memory or a file, or passes it to the caller.
    var mark: RequestMark?
    /// The rest of the body, if a download may request it.
    var rest: RestOfBody?
    /// Whether the body is in the file of a download, and can't be read from here.
    var isSaved = false
    /// The source of the response: the network or a cache.
    public internal(set) var source = ResponseSource.network
    /// Whether the `Set-Cookie` fields come from the server, and not from a stored response.
    var setsCookies = true

    /// Creates a response.
    public init(
        status: Int,
        headers: HTTPFields = [:],
        body: TransportBody = .complete(Data()),
        trailers: HTTPFields = [:]
    ) {
        self.status = status
        self.headers = headers
        self.body = body
        self.trailers = trailers
    }
}

/// A mark that identifies the responses of one request.
final class RequestMark: Sendable {}

/// The rest of a response's body, which can be requested if the body breaks off.
final class RestOfBody: Sendable {
    /// The request that the response belongs to.
    let request: TransportRequest
    /// Sends the request again, with these fields in place of its fields.
    let send: @Sendable (HTTPFields) async throws -> TransportResponse

    init(request: TransportRequest, send: @escaping @Sendable (HTTPFields) async throws -> TransportResponse) {
        self.request = request
        self.send = send
    }
}

/// The body of a response, complete or as a stream.
public enum TransportBody: Sendable {
    /// The whole body.
    case complete(Data)
    /// The body as a stream.
    case stream(TransportBodyStream)
}

extension TransportResponse {
    /// The number of bytes of the body after decoding, if it is known.
    var knownLength: Int64? {
        if case .complete(let data) = body { return Int64(data.count) }
        // The declared length of a coded body is not the length after decoding.
        let isCoded = headers.contains(.contentEncoding) && ContentCoding.isCoded(headers[values: .contentEncoding])
        return isCoded ? nil : headers[.contentLength].flatMap { Int64($0) }
    }
}
