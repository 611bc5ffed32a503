import Foundation

/// The state that determines when an exchange times out; the current time is passed in.
///
/// A carrier has one timer for each exchange, or one for all exchanges of a connection. Activity does not restart the timer,
/// but only records the time. When the timer fires, the carrier checks the timeouts, and usually has to check again later.
package struct TimeoutState: Equatable, Sendable {
    /// The result of a check.
    package enum Verdict: Equatable, Sendable {
        case checkAgain(after: Duration)
        /// The exchange has exceeded this timeout.
        case expired(RequestTimeoutError.Kind)
    }

    private let idleTimeout: Duration
    private let exchangeTimeout: Duration
    /// The time of the attempt before the exchange, for the error.
    private let earlierTime: Duration
    /// The total time of the request, if the exchange timeout is the rest of it.
    private let totalTime: Duration?
    private let phases: PhaseTimeouts
    private var lastActivity = Duration.zero
    /// Whether the idle timeout is paused, because the carrier waits for the reader or for a network.
    private var isPaused = false
    /// The time at which the exchange began to wait for a connection; `nil` if it has one.
    private var waitStart: Duration?
    /// The time at which the request was sent; `nil` until then, and if nobody reports it.
    private var sentTime: Duration?
    private var hasResponse = false
    /// Whether no timeout ends the exchange any more, because its connection is upgraded to another protocol.
    private var isUnlimited = false
    /// The idle time before the exchange, which counts until the server sends something.
    private var idleBefore: Duration
    /// The time during which the process was suspended, according to the timer.
    private var suspendedTime = Duration.zero
    /// The number of the last checks in a row that found that the time for bytes of the server had expired.
    private var expiries = 0

    /// The maximum delay of a timer in a running process.
    static let timerTolerance = Duration.seconds(1)
    /// The time in which a carrier usually reads the bytes that wait in its socket.
    package static let readTime = Duration.milliseconds(1)
    /// The maximum number of checks of an expired timeout for which a carrier has pending input, which may belong to other exchanges.
    static let maximumExpiries = 8

    /// Creates the state at the start of the exchange.
    ///
    /// All times are relative to it.
    package init(
        idleTimeout: Duration,
        exchangeTimeout: Duration,
        idleBefore: Duration = .zero,
        earlierTime: Duration = .zero,
        totalTime: Duration? = nil,
        phases: PhaseTimeouts = PhaseTimeouts()
    ) {
        self.idleTimeout = idleTimeout
        self.exchangeTimeout = exchangeTimeout
        self.idleBefore = idleBefore
        self.earlierTime = earlierTime
        self.totalTime = totalTime
        self.phases = phases
    }

    /// Handles an exchange that begins to wait for a connection.
    ///
    /// - Parameters:
    ///   - now: The time.
    ///   - timeout: The maximum wait, unless the request has its own; `nil` for no limit.
    /// - Returns: The time after which the verdict must be requested.
    mutating func beganWaiting(at now: Duration, timeout: Duration?) -> Duration {
        waitStart = now - suspendedTime
        let limits = min(phases.pool ?? timeout ?? idleTimeout, phases.connect ?? idleTimeout, idleTimeout)
        return max(.zero, min(limits, exchangeTimeout - (now - suspendedTime)))
    }

    /// Handles the beginning of the exchange on a connection, from which the idle time counts.
    ///
    /// - Returns: The time after which the verdict must be requested.
    mutating func began(at now: Duration) -> Duration {
        waitStart = nil
        recordActivity(at: now)
        let now = now - suspendedTime
        // A task of another HTTP client may report the sending before its exchange begins.
        let end = min(idleEnd(at: now), exchangeTimeout, firstByteEnd ?? exchangeTimeout)
        return limitedUntilSending(max(.zero, end - now))
    }

    /// Records that the request has been sent, with its body; only the first call counts.
    package mutating func recordSent(at now: Duration) { sentTime = sentTime ?? now - suspendedTime }

    /// Records that the server has sent a response.
    package mutating func recordResponse() { (idleBefore, hasResponse) = (.zero, true) }

    /// Records that the server has agreed to an upgrade, after which no timeout ends the exchange.
    package mutating func recordUpgrade() { isUnlimited = true }

    /// Returns the time that an exchange has waited for a connection; `nil` if it has one.
    func waited(at now: Duration) -> Duration? { waitStart.map { now - suspendedTime - $0 } }

    /// Records that data was sent or received, and whether the idle timeout is paused until the next activity.
    package mutating func recordActivity(at now: Duration, isPaused: Bool = false) {
        lastActivity = max(lastActivity, now - suspendedTime)
        self.isPaused = isPaused
    }

    /// Resumes the idle timeout, since the reader gets all buffered data.
    mutating func resume(at now: Duration) { recordActivity(at: now) }

    /// Records when the last bytes were sent or received; the idle timeout stays paused if it is.
    ///
    /// A time before the last activity has no effect: the bytes may belong to an earlier exchange.
    mutating func recordBytes(at time: Duration) { lastActivity = max(lastActivity, time - suspendedTime) }

    /// Pauses the idle timeout until the next activity, while the carrier waits for a network.
    package mutating func pauseForConnectivity(at now: Duration) { recordActivity(at: now, isPaused: true) }

    /// Excludes the time during which the process was suspended.
    ///
    /// The timers of a suspended application stop while the clock continues, so the delay of a timer is the
    /// duration of the suspension, during which nothing could be received.
    mutating func excludeSuspension(at now: Duration, due: Duration) {
        let delay = now - due
        guard delay > Self.timerTolerance else { return }
        suspendedTime += delay
        lastActivity = min(lastActivity, now - suspendedTime)
        sentTime = sentTime.map { min($0, now - suspendedTime) }
    }

    /// Handles a timer of the carrier.
    ///
    /// A late timer may fire before the carrier has read bytes that wait in its socket. So an expired timeout of the server is checked
    /// again while the carrier has pending input, or once if the carrier does not know. The time until the next check begins with
    /// ``readTime`` and doubles, because an event loop runs all due timers before it reads.
    ///
    /// - Parameters:
    ///   - due: The time at which the timer was to fire.
    ///   - lastTransfer: The time at which the carrier sent or received the last bytes; `nil` if it does not know.
    ///   - hasPendingInput: Whether bytes wait in the socket of the carrier; `nil` if it does not know.
    ///   - pool: The state of the pool in which the exchange waits for a connection; `nil` if the exchange has one.
    ///   - now: The time.
    /// - Returns: The verdict; after ``Verdict/checkAgain(after:)`` the carrier sets another timer.
    mutating func check(
        due: Duration,
        lastTransfer: Duration? = nil,
        hasPendingInput: Bool? = nil,
        _ pool: PoolStatus? = nil,
        at now: Duration
    ) -> Verdict {
        // The bytes arrived before a suspension ended.
        if let lastTransfer { recordBytes(at: lastTransfer) }
        excludeSuspension(at: now, due: due)
        let verdict = pool.map { self.verdict(at: now, $0) } ?? self.verdict(at: now)
        if case .checkAgain(let time) = verdict {
            expiries = 0
            return .checkAgain(after: pool == nil ? limitedUntilSending(time) : time)
        }
        guard [.expired(.idle), .expired(.firstByte)].contains(verdict) else {
            expiries = 0
            return verdict
        }
        guard expiries < Self.maximumExpiries, hasPendingInput ?? (expiries == 0) else { return verdict }
        defer { expiries += 1 }
        return .checkAgain(after: Self.readTime * (1 << expiries))
    }

    /// Returns the verdict on an exchange that has a connection, or whose carrier reads no socket.
    package func verdict(at now: Duration) -> Verdict {
        guard !isUnlimited else { return .checkAgain(after: .longestTimeout) }
        let now = now - suspendedTime
        if now >= exchangeTimeout { return .expired(exchangeTimeoutKind) }
        let idleEnd = idleEnd(at: now)
        let firstByteEnd = firstByteEnd ?? idleEnd
        if now >= min(firstByteEnd, idleEnd) { return .expired(firstByteEnd < idleEnd ? .firstByte : .idle) }
        return .checkAgain(after: min(firstByteEnd, idleEnd, exchangeTimeout) - now)
    }

    /// Returns the verdict on an exchange that may wait for a connection.
    ///
    /// The idle time does not count while other requests use the connections. It counts while there is no connection: the
    /// exchange must end, whatever prevents the connection.
    func verdict(at now: Duration, _ pool: PoolStatus) -> Verdict {
        guard let waitStart else { return verdict(at: now) }
        let now = now - suspendedTime
        if now >= exchangeTimeout { return .expired(exchangeTimeoutKind) }
        let waitEnd = (phases.pool ?? pool.timeout).map { waitStart + $0 } ?? exchangeTimeout
        if now >= waitEnd { return .expired(.pool) }
        let disconnection = now - min(pool.disconnected ?? .zero, now - waitStart)
        let idleEnd = disconnection + idleTimeout
        let connectEnd = phases.connect.map { disconnection + $0 } ?? idleEnd
        if now >= min(connectEnd, idleEnd) { return .expired(connectEnd < idleEnd ? .connect : .idle) }
        return .checkAgain(after: min(connectEnd, idleEnd, waitEnd, exchangeTimeout) - now)
    }

    /// The part of the request whose time the exchange timeout limits.
    private var exchangeTimeoutKind: RequestTimeoutError.Kind { totalTime == nil ? .attempt : .total }

    /// The end of the wait for the head of the response; `nil` if it is unlimited, over, or has not begun, and while there is no network.
    private var firstByteEnd: Duration? {
        guard !hasResponse, !isPaused, let limit = phases.firstByte, let sentTime else { return nil }
        return sentTime + limit
    }

    /// Returns the time until the next check, which is not later than the end of the wait for the response if the request is sent now.
    ///
    /// A limit of zero must not cause one check after another until the request is sent.
    private func limitedUntilSending(_ time: Duration) -> Duration {
        guard !hasResponse, sentTime == nil, let limit = phases.firstByte else { return time }
        return min(time, max(limit, Self.readTime))
    }

    /// Returns the error for an expired timeout.
    ///
    /// - Parameters:
    ///   - kind: The timeout of the verdict.
    ///   - pool: The state of the pool in which the exchange waits for a connection; `nil` if the exchange has one.
    /// - Returns: The error, with the limit.
    package func error(of kind: RequestTimeoutError.Kind, _ pool: PoolStatus? = nil) -> RequestTimeoutError {
        let limit: Duration? =
            switch kind {
            case .total, .attempt: totalTime ?? exchangeTimeout + earlierTime
            case .connect: phases.connect
            case .pool: phases.pool ?? pool?.timeout
            case .firstByte: phases.firstByte
            case .idle: idleTimeout
            }
        return RequestTimeoutError(kind: kind, limit: limit ?? exchangeTimeout)
    }

    private func idleEnd(at now: Duration) -> Duration {
        isPaused ? now + idleTimeout : lastActivity + max(.zero, idleTimeout - idleBefore)
    }
}

extension TimeoutState {
    /// Creates the state with the timeouts of a request.
    package init(_ request: borrowing TransportRequest) {
        self.init(
            idleTimeout: min(request.idleTimeout, .longestTimeout),
            exchangeTimeout: min(request.exchangeTimeout, .longestTimeout),
            idleBefore: request.idleBefore,
            earlierTime: request.earlierTime,
            totalTime: request.totalTime,
            phases: request.phaseTimeouts.clamped
        )
    }
}

extension PhaseTimeouts {
    /// The limits, of which none exceeds the longest timeout.
    fileprivate var clamped: PhaseTimeouts {
        PhaseTimeouts(
            connect: connect.map { min($0, .longestTimeout) },
            pool: pool.map { min($0, .longestTimeout) },
            firstByte: firstByte.map { min($0, .longestTimeout) }
        )
    }
}
