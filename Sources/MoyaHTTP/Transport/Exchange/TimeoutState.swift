import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The state that determines when an exchange times out; the current time is passed in.
///
/// A carrier has one timer for each exchange, or one for all exchanges of a connection. Activity does not reset the timer,
/// but only records the time. When the timer fires, the carrier requests a verdict, which is usually to check again later.
package struct TimeoutState: Equatable, Sendable {
    package enum Verdict: Equatable, Sendable {
        case checkAgain(after: Duration)
        case idleTooLong
        case tookTooLong
        /// The exchange has waited for a connection for too long.
        case waitedTooLong
    }

    private let idleTimeout: Duration
    private let totalTimeout: Duration
    private var lastActivity = Duration.zero
    /// Whether the idle timeout is paused, because the reader has not taken all data or there is no network.
    private var isPaused = false
    /// The time at which the exchange began to wait for a connection; `nil` if it has one.
    private var waitStart: Duration?
    /// The idle time before the exchange, which counts until the server sends something.
    private var idleBefore: Duration
    /// The time during which the process was suspended, according to the timer.
    private var missed = Duration.zero

    /// The maximum delay of a timer in a running process.
    static let timerTolerance = Duration.seconds(1)

    /// Creates the state at the start of the exchange.
    ///
    /// All times are relative to it.
    init(idleTimeout: Duration, totalTimeout: Duration, idleBefore: Duration = .zero) {
        self.idleTimeout = idleTimeout
        self.totalTimeout = totalTimeout
        self.idleBefore = idleBefore
    }

    /// Handles the beginning of the wait for a connection.
    ///
    /// - Parameters:
    ///   - now: The time.
    ///   - timeout: The maximum wait; `nil` for no limit.
    /// - Returns: The time after which the verdict must be requested.
    mutating func beginWait(at now: Duration, timeout: Duration?) -> Duration {
        waitStart = now - missed
        return max(.zero, min(timeout ?? idleTimeout, idleTimeout, totalTimeout - (now - missed)))
    }

    /// Handles the beginning of the exchange on a connection, from which the idle time counts.
    ///
    /// - Returns: The time after which the verdict must be requested.
    mutating func begin(at now: Duration) -> Duration {
        waitStart = nil
        recordActivity(at: now)
        let now = now - missed
        return max(.zero, min(idleEnd(at: now), totalTimeout) - now)
    }

    /// Records that the server has sent a response.
    mutating func recordResponse() { idleBefore = .zero }

    /// Returns the time that an exchange has waited for a connection; `nil` if it has one.
    func waited(at now: Duration) -> Duration? { waitStart.map { now - missed - $0 } }

    package mutating func recordActivity(at now: Duration, isWaitingForReader: Bool = false) {
        lastActivity = max(lastActivity, now - missed)
        isPaused = isWaitingForReader
    }

    /// Records when the last bytes were received; the idle timeout stays paused if it is.
    ///
    /// A time before the last activity has no effect: it may be that of bytes before the exchange.
    mutating func recordBytes(at time: Duration) { lastActivity = max(lastActivity, time - missed) }

    /// Pauses the idle timeout until the next activity, while the carrier waits for a network.
    mutating func pauseForConnectivity(at now: Duration) { recordActivity(at: now, isWaitingForReader: true) }

    /// Excludes the time during which the process was suspended.
    ///
    /// Call it before requesting the verdict.
    /// The timers of a suspended application stop while the clock continues, so the delay of a timer is the
    /// duration of the suspension, during which nothing could be received.
    mutating func timerFired(at now: Duration, due: Duration) {
        let delay = now - due
        guard delay > Self.timerTolerance else { return }
        missed += delay
        lastActivity = min(lastActivity, now - missed)
    }

    package func verdict(at now: Duration) -> Verdict {
        let now = now - missed
        if now >= totalTimeout { return .tookTooLong }
        let idleEnd = idleEnd(at: now)
        if now >= idleEnd { return .idleTooLong }
        return .checkAgain(after: min(idleEnd, totalTimeout) - now)
    }

    /// Returns the verdict on an exchange that may wait for a connection.
    ///
    /// The idle time does not count while the connections are in use by others. It does while there is none: whatever
    /// prevents the connection, the exchange must end.
    func verdict(at now: Duration, _ wait: ConnectionWait) -> Verdict {
        guard let waitStart else { return verdict(at: now) }
        let now = now - missed
        if now >= totalTimeout { return .tookTooLong }
        let waitEnd = wait.timeout.map { waitStart + $0 } ?? totalTimeout
        if now >= waitEnd { return .waitedTooLong }
        let idleEnd = now - min(wait.disconnected ?? .zero, now - waitStart) + idleTimeout
        if now >= idleEnd { return .idleTooLong }
        return .checkAgain(after: min(idleEnd, waitEnd, totalTimeout) - now)
    }

    private func idleEnd(at now: Duration) -> Duration {
        isPaused ? now + idleTimeout : lastActivity + max(.zero, idleTimeout - idleBefore)
    }
}

extension TimeoutState {
    /// Creates the state with the timeouts of a request.
    package init(_ request: TransportRequest) {
        self.init(
            idleTimeout: min(request.idleTimeout, .longestTimeout),
            totalTimeout: min(request.totalTimeout, .longestTimeout),
            idleBefore: request.idleBefore
        )
    }
}

extension URLError {
    /// Returns the error of a request that timed out.
    package static func timedOut(_ verdict: TimeoutState.Verdict, url: URL) -> URLError {
        guard verdict == .tookTooLong else { return .make(.timedOut, url: url) }
        return .make(.timedOut, url: url, reason: "The request exceeded its total timeout.")
    }
}
