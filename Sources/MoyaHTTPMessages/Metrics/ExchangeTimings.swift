import Foundation

/// The times and sizes of one exchange with a server: its wait for a connection, the phases of the connect attempt, the request and
/// the response.
///
/// All times are durations since ``start``, by the monotonic clock. A time that the transport does not know, or that the exchange
/// has not reached, is `nil`. An exchange that has failed has the times up to the failure: the phase that has failed has no
/// end (``Phase/end``), and ``ended`` is the time of the failure.
///
/// The phases of a connect attempt are those parts of them for which the exchange waited. An exchange on a connection that was
/// open before has none. If several exchanges wait for one connection, each has the phases from the beginning of its own wait.
public struct ExchangeTimings: Sendable, Equatable {
    /// A part of an exchange, which may not have ended.
    public struct Phase: Sendable, Hashable {
        /// The beginning.
        public var start: Duration
        /// The end; `nil` if the phase has not ended, or the exchange has failed in it.
        public var end: Duration?

        /// Creates a phase.
        public init(start: Duration, end: Duration? = nil) { (self.start, self.end) = (start, end) }

        /// The time from the beginning to the end; `nil` without an end.
        public var duration: Duration? { end.map { $0 - start } }
    }

    /// The numbers of bytes on the connection, without those of TLS; `nil` if they are unknown.
    public struct ByteCounts: Sendable, Hashable {
        /// The head of the request: the request line and the fields, or the frames of HTTP/2 that have them.
        public var requestHead: Int64?
        /// The body of the request, without the framing.
        public var requestBody: Int64?
        /// The head of the response: the status line and the fields, or the frames of HTTP/2 that have them.
        public var responseHead: Int64?
        /// The body of the response, without the framing, and before decoding.
        public var responseBody: Int64?

        /// Creates counts.
        public init() {}
    }

    /// The beginning of the exchange by the monotonic clock.
    public let start: ContinuousClock.Instant
    /// The date of the beginning.
    public let date: Date
    /// The wait for a connection; `nil` if one was free.
    ///
    /// It includes the phases of the connect attempt.
    public private(set) var queued: Phase?
    /// The lookup of the host name.
    public private(set) var lookup: Phase?
    /// The establishment of the connection over TCP.
    public private(set) var connect: Phase?
    /// The handshake with the proxy.
    public private(set) var proxy: Phase?
    /// The TLS handshake.
    public private(set) var tls: Phase?
    /// The time at which the exchange had a connection.
    public private(set) var acquired: Duration?
    /// The connection; `nil` before the exchange has one.
    public private(set) var connection: ExchangeConnection?
    /// Whether the connection has carried another exchange before; `nil` before the exchange has a connection.
    public private(set) var isConnectionReused: Bool?
    /// The time at which the head of the request was sent.
    public private(set) var requestHeadSent: Duration?
    /// The time at which the last byte of the request was sent.
    public private(set) var requestSent: Duration?
    /// The time of the first interim response.
    public private(set) var firstInterim: Duration?
    /// The number of interim responses.
    public private(set) var interimCount = 0
    /// The time of the first byte of the response.
    public private(set) var responseStarted: Duration?
    /// The time at which the head of the response was complete.
    public private(set) var responseHead: Duration?
    /// The time of the last byte of the response, or of the failure; `nil` while the exchange runs.
    public private(set) var ended: Duration?
    /// Whether the exchange has failed, or was cancelled.
    public private(set) var hasFailed = false
    /// The numbers of bytes.
    public private(set) var bytes = ByteCounts()

    /// Creates the times of an exchange that begins.
    public init(start: ContinuousClock.Instant = .now, date: Date = Date()) { (self.start, self.date) = (start, date) }

    /// The time from the last byte of the request to the first byte of the response; `nil` if one of them is unknown.
    ///
    /// It is zero if the response began while the request was being sent.
    public var wait: Duration? {
        guard let requestSent, let responseStarted else { return nil }
        return max(.zero, responseStarted - requestSent)
    }
}

extension ExchangeTimings {
    /// Records an event at a time since ``start``; an event after the end of the exchange is ignored.
    mutating func record(_ event: ExchangeEvent, at time: Duration) {
        guard ended == nil else { return }
        switch event {
        case .queued: if queued == nil { queued = Phase(start: time) } else { queued?.end = nil }
        case .lookupStarted: lookup = Phase(start: time)
        case .lookupEnded: lookup?.end = time
        case .connectStarted: connect = Phase(start: time)
        case .connectEnded: connect?.end = time
        case .proxyStarted: proxy = Phase(start: time)
        case .proxyEnded: proxy?.end = time
        case .tlsStarted: tls = Phase(start: time)
        case .tlsEnded: tls?.end = time
        case .connectFailed: break
        case .acquired(let connection, let isReused):
            (acquired, self.connection, isConnectionReused) = (time, connection, isReused)
            if queued != nil { queued?.end = time }
        case .requestHeadSent(let count):
            requestHeadSent = requestHeadSent ?? time
            bytes.requestHead = count ?? bytes.requestHead
        case .requestSent(let count):
            requestHeadSent = requestHeadSent ?? time
            requestSent = requestSent ?? time
            bytes.requestBody = count ?? bytes.requestBody
        case .interim:
            firstInterim = firstInterim ?? time
            interimCount += 1
        case .responseStarted: responseStarted = responseStarted ?? time
        case .responseHead(_, let count):
            responseStarted = responseStarted ?? time
            responseHead = responseHead ?? time
            bytes.responseHead = count ?? bytes.responseHead
        case .responseEnded(let count):
            bytes.responseBody = count ?? bytes.responseBody
            ended = time
        case .failed: (hasFailed, ended) = (true, time)
        }
    }
}
