import Foundation

@_exported import struct HTTPTypes.HTTPField
@_exported import struct HTTPTypes.HTTPFields

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
/// - sends method, headers and body unchanged, and adds only the headers that the connection requires: those of framing (`Host`,
///   `Content-Length`, `Transfer-Encoding`, `Connection`, `Trailer`), `Expect: 100-continue`, and those for a proxy;
/// - repeats a request only without its `Expect`, if the server has refused that (417), or at the origin, if an alternative
///   does not serve it (421);
/// - does not follow redirects, store cookies, respond to the challenges of servers, cache or retry, which are tasks of the
///   session;
/// - makes its connections, including the handshake with a proxy: a CONNECT request, with the challenges of the proxy to
///   it, never reaches the session. If it has a credential for its proxy, it may also send it with a request in absolute
///   form (RFC 9112, section 3.2.2), and respond to a 407 with it;
/// - keeps trailers apart from headers, if it supports them, and refuses a body with trailers (``HTTPBody/hasTrailers``) if it
///   cannot send them;
/// - upgrades the connection, or the stream over HTTP/2, if ``TransportRequest/upgrade`` asks for it and the server agrees, or throws
///   ``RequestValidationError/upgradeNotSupported``;
/// - returns a response for any status, including errors;
/// - stops when its task is cancelled, and closes the connection, or resets the stream over HTTP/2;
/// - respects ``TransportRequest/idleTimeout`` and ``TransportRequest/exchangeTimeout``, and, if it can,
///   ``TransportRequest/firstByteTimeout``, ``TransportRequest/connectTimeout`` and ``TransportRequest/connectionPoolTimeout``; the
///   cause of its `URLError.timedOut` is a ``RequestTimeoutError``;
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

    /// The executors of the event loops that own the transport's connections; empty if the transport has no event loops.
    ///
    /// A task that runs on such an executor sends its requests and gets their responses on the thread of its connection, so that no
    /// other thread is woken. `NIOTransport` has one executor for each event loop. The other transports of this package have none, and
    /// the default implementation returns none: a transport that wraps another one must pass the call on. See
    /// ``Session/taskExecutors`` for the use.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    var taskExecutors: [any TaskExecutor] { get }

    /// The state of the transport, with its connections and waiting requests; `nil` if the transport does not know it.
    ///
    /// `NIOTransport` knows all; URLSession and AsyncHTTPClient do not tell their connections. The default implementation returns `nil`:
    /// a transport that wraps another one must pass the call on. See ``Session/status`` for the use.
    var status: TransportStatus? { get }

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

    /// An empty array.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    public var taskExecutors: [any TaskExecutor] { [] }

    /// `nil`.
    public var status: TransportStatus? { nil }

    /// Calls ``shutdown()`` immediately.
    @discardableResult
    public func shutdown(grace: Duration) async -> ShutdownResult {
        await shutdown()
        return ShutdownResult()
    }
}
