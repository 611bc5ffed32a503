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
        /// The heads of the response and of its interim responses: the status lines and the fields, or the frames of HTTP/2 that have
        /// them.
        public var responseHead: Int64?
        /// The body of the response, without the framing, and before decoding.
        public var responseBody: Int64?

        /// Creates counts.
        public init() {}
    }

    /// The beginning of the exchange by the monotonic clock.
    public var start: ContinuousClock.Instant { startTime.instant }
    package let startTime: MonotonicTime
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
    /// Whether the connection has carried another exchange before; `nil` if that is unknown, and before the exchange has a connection.
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
    /// The number of the connect attempt whose phases are recorded.
    private(set) var attempt: Int?
    private var isAttemptOver = false
    /// The time of the first bytes after the last interim response, or after the request.
    private var firstBytes: Duration?

    /// Creates the times of an exchange that begins.
    public init(start: ContinuousClock.Instant = .now, date: Date = Date()) {
        self.init(startTime: MonotonicTime(start), date: date)
    }

    /// Creates the times of an exchange that begins.
    package init(startTime: MonotonicTime, date: Date) { (self.startTime, self.date) = (startTime, date) }

    /// The time from the last byte of the request to the first byte of the response; `nil` if one of them is unknown.
    ///
    /// It is zero if the response began while the request was being sent.
    public var wait: Duration? {
        guard let requestSent, let responseStarted else { return nil }
        return max(.zero, responseStarted - requestSent)
    }
}

extension ExchangeTimings {
    /// A part of an exchange whose bytes are counted.
    package enum CountedPart: Sendable {
        case requestHead, requestBody, responseHead, responseBody
    }

    /// Adds bytes to the number of a part.
    mutating func count(_ number: Int, in part: CountedPart) {
        guard ended == nil else { return }
        let number = Int64(number)
        switch part {
        case .requestHead: bytes.requestHead = (bytes.requestHead ?? 0) + number
        case .requestBody: bytes.requestBody = (bytes.requestBody ?? 0) + number
        case .responseHead: bytes.responseHead = (bytes.responseHead ?? 0) + number
        case .responseBody: bytes.responseBody = (bytes.responseBody ?? 0) + number
        }
    }

    /// Records that bytes of a response have arrived, which may belong to an interim response.
    ///
    /// The first of them since the last interim response are the first ones of the response.
    mutating func receivedBytes(at time: Duration) { firstBytes = firstBytes ?? time }

    /// Records an event at a time since ``start``.
    ///
    /// The phases of another connect attempt replace those of an earlier one.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - time: The time.
    ///   - attempt: The number of the connect attempt that the event belongs to; `nil` if it is unknown.
    /// - Returns: Whether the event is recorded. An event after the end of the exchange is not, and neither is one of a connect attempt
    ///   that the exchange does not wait for any more, because it has a connection.
    package mutating func record(_ event: ExchangeEvent, at time: Duration, ofAttempt attempt: Int? = nil) -> Bool {
        guard ended == nil else { return false }
        if event.isOfConnectAttempt {
            guard acquired == nil else { return false }
            if isAttemptOver || attempt != self.attempt { beginAttempt(attempt) }
        }
        switch event {
        case .queued:
            queued = Phase(start: queued?.start ?? time)
            (acquired, connection, isConnectionReused) = (nil, nil, nil)
        case .lookupStarted: lookup = Phase(start: time)
        case .lookupEnded: lookup?.end = time
        case .connectStarted: connect = Phase(start: time)
        case .connectEnded: connect?.end = time
        case .proxyStarted: proxy = Phase(start: time)
        case .proxyEnded: proxy?.end = time
        case .tlsStarted: tls = Phase(start: time)
        case .tlsEnded: tls?.end = time
        case .connectFailed: isAttemptOver = true
        case .acquired(let connection, let isReused):
            (acquired, self.connection, isConnectionReused) = (time, connection, isReused)
            queued?.end = time
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
            firstBytes = nil
        case .responseStarted: responseStarted = responseStarted ?? time
        case .responseHead(_, let count):
            responseStarted = responseStarted ?? firstBytes ?? time
            responseHead = responseHead ?? time
            bytes.responseHead = count ?? bytes.responseHead
        case .responseEnded(let count):
            bytes.responseBody = count ?? bytes.responseBody
            ended = time
        case .failed: (hasFailed, ended) = (true, time)
        }
        return true
    }

    private mutating func beginAttempt(_ number: Int?) {
        (lookup, connect, proxy, tls) = (nil, nil, nil, nil)
        (attempt, isAttemptOver) = (number, false)
    }

    /// Removes the phases of a connect attempt with another number, since the exchange gets the connection with this one.
    mutating func keepAttempt(_ number: Int) {
        if attempt != number { beginAttempt(number) }
    }

    /// Returns the times of the same exchange by other events, which are more exact than those that were recorded live.
    ///
    /// The interim responses and a failure stay, and so does the response if the events have none.
    func replaced(by events: [TimedEvent]) -> ExchangeTimings {
        var timings = ExchangeTimings(startTime: startTime, date: date)
        for timed in events { _ = timings.record(timed.event, at: max(.zero, timed.time - startTime)) }
        (timings.firstInterim, timings.interimCount) = (firstInterim, interimCount)
        timings.responseStarted = timings.responseStarted ?? responseStarted
        timings.responseHead = timings.responseHead ?? responseHead
        timings.bytes.responseBody = timings.bytes.responseBody ?? bytes.responseBody
        if hasFailed { (timings.hasFailed, timings.ended) = (true, ended) }
        return timings
    }
}
