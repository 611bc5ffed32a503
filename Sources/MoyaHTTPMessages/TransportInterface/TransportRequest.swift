import Foundation
import HTTPTypes

/// A complete request for a transport.
///
/// A session has checked it. A transport must not rely on that, because others can create requests as well.
public struct TransportRequest: Sendable {
    /// The method, which should be a token (RFC 9110, section 9.1).
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
    /// PING and SETTINGS, and those of other streams do not count. A streamed body counts as long as the server acknowledges its
    /// bytes. The time stands still while more than 256 KiB of the response wait for its reader. The ``exchangeTimeout``
    /// bounds a server that sends a byte from time to time. Other transports count the data that they deliver.
    public var idleTimeout: Duration
    /// The exchange timeout: the maximum duration of the exchange, from the call of ``HTTPTransport/send(_:)`` to the last byte of the
    /// body.
    ///
    /// A session sets the time that the attempt has left, or the rest of the request's total time if that is shorter.
    public var exchangeTimeout: Duration
    /// The maximum time for which the request waits while there is no connection to the server; `nil` for
    /// ``TransportConfiguration/connectTimeout`` alone, which also applies otherwise.
    ///
    /// It includes the DNS lookup, the proxy and the TLS handshake. A connection attempt for which other requests wait goes on.
    /// ``NIOTransport`` supports it.
    public var connectTimeout: Duration? {
        get { details.phaseTimeouts.connect }
        set { change { $0.phaseTimeouts.connect = newValue } }
    }
    /// The maximum time for which the request waits for a connection, including the time to establish it; `nil` for
    /// ``TransportConfiguration/connectionPoolTimeout``, which it replaces.
    ///
    /// ``NIOTransport`` supports it.
    public var connectionPoolTimeout: Duration? {
        get { details.phaseTimeouts.pool }
        set { change { $0.phaseTimeouts.pool = newValue } }
    }
    /// The maximum time from the last byte of the request to the head of the response; `nil` for no limit.
    ///
    /// Interim responses do not end it. The last byte counts as sent when the operating system has taken it. Over URLSession, the time of a
    /// request without a body begins with its task, and so includes the connection, and the limit does not apply to a body of unknown
    /// length, nor to a request that waits for connectivity.
    public var firstByteTimeout: Duration? {
        get { details.phaseTimeouts.firstByte }
        set { change { $0.phaseTimeouts.firstByte = newValue } }
    }
    /// The maximum size in bytes of a response body that is returned as one value.
    ///
    /// With 0, the response is returned with its head.
    public var responseBufferLimit: Int
    /// The limits on the size of a decoded response body.
    public var decodingLimits: ContentDecodingLimits {
        get { details.decodingLimits }
        set { change { $0.decodingLimits = newValue } }
    }
    /// A callback for measurements, called when a connection, new or reused, begins to send the request.
    ///
    /// Some transports do not call it.
    public var onConnect: (@Sendable () -> Void)? {
        get { details.onConnect }
        set { change { $0.onConnect = newValue } }
    }
    /// The recorder of the exchange's times, to which the transport reports events; `nil` if nobody asks for them.
    public var recorder: ExchangeRecorder? {
        get { details.recorder }
        set { change { $0.recorder = newValue } }
    }
    /// A callback for each interim response with its status and headers, such as `102 (Processing)` and `103 (Early Hints)`
    /// (RFC 9110, section 15.2), before the response.
    ///
    /// It is called on any thread, and must not block. Not all transports support it: `NIOTransport` does, URLSession does on
    /// macOS 14, iOS 17 and later, and AsyncHTTPClient does not. `101 (Switching Protocols)` is not among them: without an
    /// ``upgrade``, it is an error.
    public var onInterimResponse: (@Sendable (_ status: Int, _ headers: HTTPFields) -> Void)? {
        get { details.onInterimResponse }
        set { change { $0.onInterimResponse = newValue } }
    }
    /// The upgrade to another protocol, if the request asks for one.
    ///
    /// Such a request is a GET without a body. If the server agrees, the response has the status 101, or a status from 200 to 299 over
    /// HTTP/2, and ``TransportResponse/isUpgraded`` is true. Any other response is an ordinary one. After the upgrade, neither
    /// ``idleTimeout`` nor ``exchangeTimeout`` ends the exchange. `NIOTransport` supports upgrades, and `URLSessionTransport` those to
    /// WebSockets; a transport without the upgrade throws ``RequestValidationError/upgradeNotSupported``. A transport that ignores the
    /// property sends an ordinary request.
    public var upgrade: ProtocolUpgrade? {
        get { details.upgrade }
        set { change { $0.upgrade = newValue } }
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
    package var urlRequest: URLRequest? {
        get { details.urlRequest }
        set { change { $0.urlRequest = newValue } }
    }
    /// ``connectTimeout``, ``connectionPoolTimeout`` and ``firstByteTimeout``.
    package var phaseTimeouts: PhaseTimeouts {
        get { details.phaseTimeouts }
        set { change { $0.phaseTimeouts = newValue } }
    }
    /// The session's proxy credential, for a transport that responds to a proxy's challenges itself.
    package var proxyUser: UserCredential? {
        get { details.proxyUser }
        set { change { $0.proxyUser = newValue } }
    }
    /// The request's credential, for a transport that responds to the challenges of a proxy to CONNECT: ``HTTPTransport``.
    ///
    /// It is sent only after a challenge.
    package var tunnelUser: UserCredential? {
        get { details.tunnelUser }
        set { change { $0.tunnelUser = newValue } }
    }
    /// The credential from which the session has created `Authorization`; `nil` for a field of the application.
    ///
    /// The cache compares it, because Digest creates another field for each request.
    package var serverUser: UserCredential? {
        get { details.serverUser }
        set { change { $0.serverUser = newValue } }
    }
    /// The time since the request began in the session, if it is sent again: of several such requests, the oldest goes first.
    package var age: Duration {
        get { details.age }
        set { change { $0.age = newValue } }
    }
    /// The total time of the request, if ``exchangeTimeout`` is the rest of it; `nil` if ``exchangeTimeout`` is the rest of the attempt
    /// timeout.
    package private(set) var totalTime: Duration? {
        get { details.totalTime }
        set { change { $0.totalTime = newValue } }
    }
    /// Whether the request is sent again after a lost connection, because it was not processed, or without its expectation (417).
    ///
    /// Such a request gets priority, and does not use an idle connection over HTTP/1.1, which may be stale, too. A connection over
    /// HTTP/2 carries it even if the connection is idle.
    package var isResent = false
    /// The idle time of the request's wait for an equal one: the time since that was sent, or since a part of its response arrived.
    ///
    /// It counts as idle time until the server responds.
    package var idleBefore = Duration.zero
    /// The time that earlier exchanges of the attempt have taken, and that ``exchangeTimeout`` does not contain any more.
    package private(set) var earlierTime = Duration.zero
    /// The responses that are returned with their heads, since the session often drops their bodies.
    package var droppableBodies = DroppableBodies.none
    /// ``SessionOptions/refusesUnknownContentCodings``.
    package var refusesUnknownContentCodings = false

    /// The rarely used properties, which are copied together.
    private struct Details: Sendable {
        var decodingLimits: ContentDecodingLimits
        var phaseTimeouts = PhaseTimeouts()
        var onConnect: (@Sendable () -> Void)?
        var recorder: ExchangeRecorder?
        var onInterimResponse: (@Sendable (Int, HTTPFields) -> Void)?
        var upgrade: ProtocolUpgrade?
        var target: (any Sendable)?
        var urlRequest: URLRequest?
        var proxyUser: UserCredential?
        var tunnelUser: UserCredential?
        var serverUser: UserCredential?
        var age = Duration.zero
        var totalTime: Duration?
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
        exchangeTimeout: Duration = .seconds(7 * 24 * 3600),
        responseBufferLimit: Int = TransportRequest.defaultResponseBufferLimit,
        decodingLimits: ContentDecodingLimits = ContentDecodingLimits()
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.idleTimeout = idleTimeout
        self.exchangeTimeout = exchangeTimeout
        self.responseBufferLimit = responseBufferLimit
        detailsBox = DetailsBox(Details(decodingLimits: decodingLimits))
    }

    /// Creates a request with the properties that a ``Session`` adds.
    package init(
        method: HTTPMethod,
        url: URL,
        headers: HTTPFields,
        body: HTTPBody?,
        timeouts: (idle: Duration, exchange: Duration),
        responseBufferLimit: Int,
        decodingLimits: ContentDecodingLimits,
        urlRequest: URLRequest,
        target: (any Sendable)?
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        (idleTimeout, exchangeTimeout) = timeouts
        self.responseBufferLimit = responseBufferLimit
        detailsBox = DetailsBox(Details(decodingLimits: decodingLimits, target: target, urlRequest: urlRequest))
    }

    /// Adds the observers of an exchange.
    ///
    /// The callbacks are called after those that the request has.
    // One change of the rarely used properties, which would be copied for each observer.
    package mutating func observe(
        by recorder: ExchangeRecorder?,
        onConnect: @escaping @Sendable () -> Void,
        onInterimResponse: @escaping @Sendable (_ status: Int, _ headers: HTTPFields) -> Void
    ) {
        change { details in
            details.recorder = recorder
            details.onConnect = { [earlier = details.onConnect] in
                earlier?()
                onConnect()
            }
            details.onInterimResponse = { [earlier = details.onInterimResponse] status, headers in
                earlier?(status, headers)
                onInterimResponse(status, headers)
            }
        }
    }

    /// The attempt timeout, of which earlier exchanges may have used a part.
    package var attemptTimeout: Duration { exchangeTimeout + earlierTime }

    /// Sets the time that the attempt has left.
    package mutating func setTimeLeft(_ time: Duration) {
        earlierTime += exchangeTimeout - time
        exchangeTimeout = time
    }

    /// Sets the time that the request has left of its total time, which ends before the attempt timeout.
    package mutating func setTimeLeft(_ time: Duration, ofTotal limit: Duration) {
        setTimeLeft(time)
        totalTime = limit
    }

    /// The error of an exchange whose time is over: ``exchangeTimeout``.
    package var exchangeTimeoutError: RequestTimeoutError {
        totalTime.map { RequestTimeoutError(kind: .total, limit: $0) }
            ?? RequestTimeoutError(kind: .attempt, limit: attemptTimeout)
    }

    /// Throws `URLError.timedOut` if the attempt or the whole request has no time left.
    package func throwIfOverdue() throws(URLError) {
        guard exchangeTimeout <= .zero else { return }
        throw .timedOut(exchangeTimeoutError, url: url)
    }

    /// Whether the body, if there is one, can be sent again.
    package var isBodyRepeatable: Bool { body?.isRepeatable ?? true }

    /// Whether the request can be sent again if it is lost with its connection (RFC 9110, section 9.2.2).
    // Most requests are GETs, for which this is cheap.
    package var canBeResent: Bool { (method == .get || method.isIdempotent) && isBodyRepeatable }

    /// The default buffer limit of 64 KiB, with which most API responses are returned as one value.
    public static let defaultResponseBufferLimit = 65_536
}

/// The limits of the phases of an exchange, apart from its idle time; a limit that is `nil` does not apply.
package struct PhaseTimeouts: Equatable, Sendable {
    /// The limit of the wait while there is no connection.
    package var connect: Duration?
    /// The limit of the wait for a connection.
    package var pool: Duration?
    /// The limit of the time from the sent request to the head of the response.
    package var firstByte: Duration?

    /// Creates limits.
    package init(connect: Duration? = nil, pool: Duration? = nil, firstByte: Duration? = nil) {
        (self.connect, self.pool, self.firstByte) = (connect, pool, firstByte)
    }
}
