import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Says when an exchange has taken too long. Pure: it is told the time.
///
/// An engine keeps one timer for each exchange. Activity does not touch the timer, it only notes the time; when the
/// timer fires it asks for the verdict, which usually is to look again later.
package struct TimeoutState: Equatable, Sendable {
    package enum Verdict: Equatable, Sendable {
        case lookAgain(after: Duration)
        case idleTooLong
        case tookTooLong
    }

    private let idleTimeout: Duration
    private let totalTimeout: Duration
    private var lastActivity = Duration.zero
    /// While the reader has not taken what has arrived, or there is no network, the server owes nothing.
    private var isPaused = false
    /// How long the process did not run, as far as the timer shows.
    private var missed = Duration.zero

    /// By how much a timer may be late in a process that runs.
    static let timerTolerance = Duration.seconds(1)

    /// Times are measured from the exchange's start.
    init(idleTimeout: Duration, totalTimeout: Duration) {
        self.idleTimeout = idleTimeout
        self.totalTimeout = totalTimeout
    }

    /// When to look for the first time.
    var firstLook: Duration { min(idleTimeout, totalTimeout) }

    package mutating func activity(at now: Duration, isWaitingForReader: Bool = false) {
        lastActivity = max(lastActivity, now - missed)
        isPaused = isWaitingForReader
    }

    /// The engine waits for a network: nothing is idle until the next activity.
    mutating func waitsForConnectivity(at now: Duration) { activity(at: now, isWaitingForReader: true) }

    /// Leaves out the time in which the process did not run, before the verdict is asked for.
    ///
    /// While an application is suspended its timers stand still and the clock goes on: a timer that fires late says for how
    /// long. The server had no way to be heard meanwhile.
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
        return .lookAgain(after: min(idleEnd, totalTimeout) - now)
    }
}

extension TimeoutState {
    /// Those of a request.
    package init(_ request: TransportRequest) {
        self.init(
            idleTimeout: min(request.idleTimeout, .longestTimeout),
            totalTimeout: min(request.totalTimeout, .longestTimeout)
        )
    }
}

extension URLError {
    /// The error of a request that took too long.
    package static func timedOut(_ verdict: TimeoutState.Verdict, url: URL) -> URLError {
        guard verdict == .tookTooLong else { return .exchange(.timedOut, url: url) }
        return .exchange(.timedOut, url: url, reason: "The request took longer than its time allows.")
    }
}
