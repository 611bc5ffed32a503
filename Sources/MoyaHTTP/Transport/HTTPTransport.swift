import Foundation

@_exported import struct HTTPTypes.HTTPField
@_exported import struct HTTPTypes.HTTPFields

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Carries one HTTP request to a server and brings back the response: the seam between a ``Session`` and an engine.
///
/// ### Use
///
/// A session makes the transport that suits the platform: `NIOTransport` on Linux, ``URLSessionTransport``
/// on Apple's platforms and wherever the package trait `AsyncHTTPClient` is off. To choose one, hand it over:
///
///     let session = Session(transport: URLSessionTransport())
///
/// ### Write your own
///
/// Conform to the protocol to run over another engine, or wrap a transport to observe or change what passes:
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
///     }
///
/// A transport does one exchange and nothing else. It
/// - sends the method, the headers and the body as they are, adding only what the framing needs (`Host`,
///   `Content-Length`, `Connection`);
/// - does not follow redirects, keep cookies, answer challenges, cache or retry: that is the session's;
/// - hands over any status, errors included, as a response;
/// - ends when its task is cancelled, and closes the connection then;
/// - honours ``TransportRequest/idleTimeout`` and ``TransportRequest/totalTimeout``;
/// - asks the body for a piece when there is room for it, and closes the connection when the body fails, so that the
///   server sees that it is not whole;
/// - either decodes bodies in gzip and deflate, within ``TransportRequest/decodingLimits``, or hands them over as they come
///   and says so (``TransportResponse/isDecoded``): then the session decodes them;
/// - throws `URLError`, with the engine's own error under `NSUnderlyingErrorKey`, or the body's ``RequestBodyError``.
public protocol HTTPTransport: Sendable {
    /// Does one exchange.
    ///
    /// - Returns: The status, the headers and the body: the whole of it, if it has no more bytes than
    ///   ``TransportRequest/responseBufferLimit``, otherwise a stream. One that breaks off is a stream, too: it gives what
    ///   has arrived, and then throws.
    /// - Throws: `URLError`; ``RequestBodyError`` if the body can't be read; or ``RequestValidationError`` for what this
    ///   engine cannot send.
    func send(_ request: TransportRequest) async throws -> TransportResponse

    /// Ends what the transport has running and gives back what it holds. Nothing may be sent afterwards.
    ///
    /// A session does not call it: a transport can serve several sessions. One that owns its engine also cleans up when
    /// the last reference to it goes.
    func shutdown() async
}

/// One request as a transport gets it: checked and complete.
public struct TransportRequest: Sendable {
    /// The method, a token.
    public var method: HTTPMethod
    /// An absolute `http` or `https` URL.
    public var url: URL
    /// All headers to send, without those that the framing needs.
    public var headers: HTTPFields
    /// The body, if there is one; an empty one counts.
    public var body: HTTPBody?
    /// How long nothing may arrive and nothing may be sent before the exchange fails with `URLError.timedOut`.
    public var idleTimeout: Duration
    /// How long the exchange may take from the call of ``HTTPTransport/send(_:)`` to the body's last byte.
    public var totalTimeout: Duration
    /// A response body up to this many bytes comes as one value; zero asks for the response as soon as its head is
    /// there.
    public var responseBufferLimit: Int
    /// How far a coded response body may grow when it is decoded.
    public var decodingLimits: ContentDecodingLimits
    /// Called when the request's head is on a connection, for whoever measures. A transport that can't tell leaves it.
    public var onConnect: (@Sendable () -> Void)?
    /// The value that the request is created from: with a provider, the target. It does not affect what is sent, and is there
    /// for transports of tests, which choose or show a response by it.
    public var target: (any Sendable)?
    /// The request that this was made from. URLSession takes from it what HTTP does not know, such as
    /// `allowsCellularAccess`.
    var urlRequest: URLRequest?
    /// The user whom the session names to a proxy, for an engine that answers a proxy's challenges itself.
    var proxyUser: UserCredential?
    /// Whether the request was sent before, and lost with its connection or not processed: it goes first, and not on a
    /// connection that may be as stale.
    var isResent = false

    /// Makes a request. A ``Session`` does this from a `URLRequest`, with its checks.
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
        self.decodingLimits = decodingLimits
    }

    /// 64 KiB: most answers of an API cross the seam as one value.
    public static let defaultResponseBufferLimit = 65_536
}

/// What a server answered.
public struct TransportResponse: Sendable {
    /// The status code (RFC 9110, section 15).
    public var status: Int
    /// The headers, in the order in which they came.
    public var headers: HTTPFields
    /// The body.
    public var body: TransportBody
    /// Whether the body is without the content codings that `Content-Encoding` names (RFC 9110, section 8.4). A transport that
    /// hands over bodies as they come sets it to false, and the session decodes them.
    public var isDecoded = true
    /// The request whose pipeline has read the body into memory or a file, or passes it to the caller.
    var handler: RequestMark?
    /// Whether the body is in the file of a download, and no longer here.
    var isSaved = false

    /// Creates a response.
    public init(status: Int, headers: HTTPFields = [:], body: TransportBody = .complete(Data())) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

/// A response's body: there already, or still to come.
public enum TransportBody: Sendable {
    /// The whole body.
    case complete(Data)
    /// The body as it arrives.
    case stream(TransportBodyStream)
}
