import Foundation

/// Stops requests to a server while too many of them fail.
///
///     var resilience = Resilience()
///     resilience.circuitBreaker = CircuitBreaker(failureRate: 0.5)
///     let session = Session(resilience: resilience)
///
/// Each key, by default an origin, has a circuit, which is closed at first. A failure opens it if the ``window`` then has at least
/// ``minimumExchanges``, and the ``failureRate`` of them has failed. While the circuit is open, exchanges fail at once with
/// ``CircuitBreakerError``. After the ``openPeriod`` the circuit is half-open, and allows only ``probes``: as many successes close
/// it, and a failure opens it for another period. If the probes have no outcome within a period, one more is allowed.
///
/// Every exchange counts, when the head of its response arrives or when it fails: each attempt of a request, each redirect, and each
/// answered challenge. A response from the cache does not count, nor does an exchange that began before the last change of the
/// circuit. The exchanges that redirects lead to another origin have a separate circuit for each origin that they come from, so that
/// a server cannot open the circuit of another one by redirects to URLs that fail.
///
/// Sessions that share a circuit breaker share its circuits.
public final class CircuitBreaker: Sendable {
    /// The state of a circuit.
    public enum State: Hashable, Sendable {
        /// Exchanges are sent.
        case closed
        /// Exchanges are refused until a time; the first one after it makes the circuit half-open.
        case open(since: Date, until: Date)
        /// Only probes are sent.
        case halfOpen(since: Date)
    }

    /// The rule by which requests share a circuit.
    public let key: LimitKey
    let rule: CircuitRule

    private let isFailure: @Sendable (Result<TransportResponse, any Error>) -> Bool
    private let clock: LimiterClock
    private let circuits = Locked(KeyedStates<CircuitState>())

    /// Creates a circuit breaker.
    ///
    /// - Parameters:
    ///   - failureRate: The part of the exchanges whose failure opens a circuit, from 0.01 to 1.
    ///   - window: The time in which exchanges count, from a millisecond to a day.
    ///   - minimumExchanges: The number of exchanges in the window without which a circuit stays closed.
    ///   - openPeriod: The time for which a circuit is open, from a millisecond to a day.
    ///   - probes: The number of exchanges that must succeed to close a half-open circuit, and that may run at the same time.
    ///   - key: The rule by which requests share a circuit.
    ///   - isFailure: Returns whether an exchange has failed because of the server. The function must not block. Other responses
    ///     are successes, and other errors are ignored. So are those of cancelled requests and of limiters, for which it is not called.
    ///   - clock: The clock that measures the window and the periods.
    public init(
        failureRate: Double = 0.5,
        window: Duration = .seconds(30),
        minimumExchanges: Int = 20,
        openPeriod: Duration = .seconds(10),
        probes: Int = 1,
        by key: LimitKey = .origin,
        isFailure: @escaping @Sendable (_ outcome: Result<TransportResponse, any Error>) -> Bool = isServerFailure,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        rule = CircuitRule(
            failureRate: failureRate,
            window: window,
            minimumExchanges: minimumExchanges,
            openPeriod: openPeriod,
            probes: probes
        )
        self.key = key
        self.isFailure = isFailure
        self.clock = LimiterClock(clock)
    }

    /// The part of the exchanges whose failure opens a circuit.
    public var failureRate: Double { rule.failureRate }
    /// The time in which exchanges count; it moves in steps of a tenth.
    public var window: Duration { rule.window }
    /// The number of exchanges in the window without which a circuit stays closed.
    public var minimumExchanges: Int { rule.minimumExchanges }
    /// The time for which a circuit is open.
    public var openPeriod: Duration { rule.openPeriod }
    /// The number of exchanges that must succeed to close a half-open circuit, and that may run at the same time.
    public var probes: Int { rule.probes }

    /// The states of the circuits that have been used, by the texts of their keys, such as `https://api.example.com`.
    ///
    /// A key without a state has a closed circuit.
    public var states: [String: State] {
        let start = startDate(at: clock.now)
        var states: [String: State] = [:]
        for (key, circuit) in circuits.withLock({ $0.statesByKey }) {
            let since = start + circuit.since.inSeconds
            switch circuit.phase {
            case .closed: states[key.text] = .closed
            case .open(let until): states[key.text] = .open(since: since, until: start + until.inSeconds)
            case .halfOpen: states[key.text] = .halfOpen(since: since)
            }
        }
        return states
    }

    // MARK: Exchanges

    /// Returns the pass of an exchange, whose end must return it, and the change of the circuit, if the exchange has changed it.
    func request(
        _ key: LimitKey.Value
    ) throws(CircuitBreakerError) -> (pass: CircuitState.Pass, change: CircuitState.Change?) {
        let now = clock.now
        let decision = circuits.withLock { circuits in
            circuits.withState(of: key, at: now, creating: { CircuitState(rule) }) { $0.request(at: now) }
        }
        switch decision {
        case .allowed(let pass, let change): return (pass, change)
        case .refused(let since, let until, let refused):
            let start = startDate(at: now)
            throw CircuitBreakerError(
                key: key.text,
                since: start + since.inSeconds,
                until: start + until.inSeconds,
                refused: refused
            )
        }
    }

    /// Takes back the pass of an exchange that has ended, and returns the change of the circuit, if the outcome has changed it.
    func finish(
        _ pass: CircuitState.Pass,
        _ outcome: CircuitState.Outcome,
        of key: LimitKey.Value
    ) -> CircuitState.Change? {
        let now = clock.now
        // The state is there, because a state with exchanges is not forgotten.
        return circuits.withLock { $0.withExistingState(of: key) { $0.finish(pass, outcome, at: now) } ?? nil }
    }

    /// Returns the meaning of an outcome.
    func meaning(of outcome: Result<TransportResponse, any Error>) -> CircuitState.Outcome {
        guard case .failure(let error) = outcome else { return isFailure(outcome) ? .failure : .success }
        if error.isCancellation || error.asURLError?.isRefusal == true { return .ignored }
        return isFailure(outcome) ? .failure : .ignored
    }

    /// The number of exchanges that have a pass.
    var running: Int { circuits.withLock { $0.states.reduce(0) { $0 + $1.running } } }

    /// Returns the date of the time zero of the clock.
    private func startDate(at now: Duration) -> Date { Date() - now.inSeconds }
}

extension CircuitBreaker {
    /// Returns whether an outcome is a failure of the server, or of the connection to it: the default rule.
    ///
    /// These are the status codes 500, 502, 503 and 504, timeouts, hosts that are not found, connections that fail or are lost, and
    /// responses that are not valid. A device without a network, a request that waits for one of the client's connections, and
    /// failures of TLS are no such failures.
    public static func isServerFailure(_ outcome: Result<TransportResponse, any Error>) -> Bool {
        switch outcome {
        case .success(let response): return Fallback.serverFailures.contains(response.status)
        case .failure(let error):
            guard let error = error.asURLError, failureCodes.contains(error.code) else { return false }
            switch error.connectionWait?.resource {
            case .connection, .stream: return false
            case .attempt, nil: break
            }
            return !error.isConfigurationError
        }
    }

    private static let failureCodes: Set<URLError.Code> = [
        .timedOut, .cannotFindHost, .dnsLookupFailed, .cannotConnectToHost, .networkConnectionLost, .badServerResponse,
        .cannotParseResponse,
    ]
}
