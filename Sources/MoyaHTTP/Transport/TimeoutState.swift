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
    /// While the reader has not taken what has arrived, the server owes nothing.
    private var isWaitingForReader = false

    /// Times are measured from the exchange's start.
    init(idleTimeout: Duration, totalTimeout: Duration) {
        self.idleTimeout = idleTimeout
        self.totalTimeout = totalTimeout
    }

    /// When to look for the first time.
    var firstLook: Duration { min(idleTimeout, totalTimeout) }

    package mutating func activity(at now: Duration, isWaitingForReader: Bool = false) {
        lastActivity = max(lastActivity, now)
        self.isWaitingForReader = isWaitingForReader
    }

    package func verdict(at now: Duration) -> Verdict {
        if now >= totalTimeout { return .tookTooLong }
        let idleEnd = isWaitingForReader ? now + idleTimeout : lastActivity + idleTimeout
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
