import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The state that determines when an exchange times out; the current time is passed in.
///
/// An engine has one timer for each exchange. Activity does not reset the timer, but only records the time. When
/// the timer fires, the engine requests a verdict, which is usually to check again later.
package struct TimeoutState: Equatable, Sendable {
    package enum Verdict: Equatable, Sendable {
        case checkAgain(after: Duration)
        case idleTooLong
        case tookTooLong
    }

    private let idleTimeout: Duration
    private let totalTimeout: Duration
    private var lastActivity = Duration.zero
    /// Whether the idle timeout is paused, because the reader has not taken all data or there is no network.
    private var isPaused = false
    /// The time during which the process was suspended, according to the timer.
    private var missed = Duration.zero

    /// The maximum delay of a timer in a running process.
    static let timerTolerance = Duration.seconds(1)

    /// Creates the state at the start of the exchange.
    ///
    /// All times are relative to it.
    init(idleTimeout: Duration, totalTimeout: Duration) {
        self.idleTimeout = idleTimeout
        self.totalTimeout = totalTimeout
    }

    /// The time of the first check.
    var firstLook: Duration { min(idleTimeout, totalTimeout) }

    package mutating func activity(at now: Duration, isWaitingForReader: Bool = false) {
        lastActivity = max(lastActivity, now - missed)
        isPaused = isWaitingForReader
    }

    /// Pauses the idle timeout until the next activity, while the engine waits for a network.
    mutating func waitsForConnectivity(at now: Duration) { activity(at: now, isWaitingForReader: true) }

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
        let idleEnd = isPaused ? now + idleTimeout : lastActivity + idleTimeout
        if now >= idleEnd { return .idleTooLong }
        return .checkAgain(after: min(idleEnd, totalTimeout) - now)
    }
}

extension TimeoutState {
    /// Creates the state with the timeouts of a request.
    package init(_ request: TransportRequest) {
        self.init(
            idleTimeout: min(request.idleTimeout, .longestTimeout),
            totalTimeout: min(request.totalTimeout, .longestTimeout)
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
