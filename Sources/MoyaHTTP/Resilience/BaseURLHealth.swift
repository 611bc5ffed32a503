/// The base URLs that requests have not reached lately.
///
/// A base URL that a request has not reached is avoided for a period. Then one request probes it, and other requests avoid it until
/// the probe has ended, or for another period. All times are those of one clock.
struct BaseURLHealth: Sendable {
    /// The decision about a request that wants to use a base URL.
    enum Permission: Equatable, Sendable {
        case allowed
        /// The request is the one that probes the base URL.
        case probe
        /// The base URL is avoided for this time; zero if it waits for a request that may probe it.
        case avoided(for: Duration)
    }

    /// The result of a request to a base URL.
    enum Result: Equatable, Sendable {
        /// The server has responded.
        case reached
        /// The server has not been reached, or has responded with a status that counts as such a failure.
        case notReached
        /// Neither is known, for example because the request was cancelled.
        case unknown
    }

    private struct State: Sendable {
        /// The end of the time for which the base URL is avoided; `nil` if it is used.
        var avoidedUntil: Duration?
        /// The time at which the last request that has reached the server ended.
        var lastReached: Duration?
    }

    private let period: Duration
    private var states: [State]

    /// Creates the state of base URLs, all of which are used.
    init(count: Int, period: Duration) {
        self.period = period
        states = Array(repeating: State(), count: count)
    }

    /// Returns whether a request may use a base URL.
    ///
    /// After ``Permission/probe``, the result of the request must be recorded.
    mutating func permission(for base: Int, canProbe: Bool, at now: Duration) -> Permission {
        guard let end = states[base].avoidedUntil else { return .allowed }
        guard now >= end else { return .avoided(for: end - now) }
        guard canProbe else { return .avoided(for: .zero) }
        states[base].avoidedUntil = now + period
        return .probe
    }

    /// Records the result of a request to a base URL.
    ///
    /// - Parameters:
    ///   - result: The result.
    ///   - base: The index of the base URL.
    ///   - isProbe: Whether the request was a probe.
    ///   - sent: The time at which the request was sent.
    ///   - now: The current time.
    mutating func record(_ result: Result, of base: Int, isProbe: Bool, sent: Duration, at now: Duration) {
        switch result {
        case .reached:
            states[base] = State(avoidedUntil: nil, lastReached: now)
        case .notReached:
            // The base URL has responded to a later request, so this one has met a slow resource or an earlier failure.
            if let last = states[base].lastReached, last > sent { return }
            // A request that was sent before the base URL was avoided does not extend the time.
            if let end = states[base].avoidedUntil, now < end, !isProbe { return }
            states[base].avoidedUntil = now + period
        case .unknown:
            // The next request may probe.
            if isProbe, states[base].avoidedUntil != nil { states[base].avoidedUntil = now }
        }
    }
}
