/// The settings of a ``CircuitBreaker``, within their bounds.
struct CircuitRule: Equatable, Sendable {
    let failureRate: Double
    let window: Duration
    let minimumExchanges: Int
    let openPeriod: Duration
    let probes: Int

    /// Creates a rule; values out of bounds are replaced by the bounds.
    init(failureRate: Double, window: Duration, minimumExchanges: Int, openPeriod: Duration, probes: Int) {
        // A rate that is not a number is not larger than the lower bound.
        self.failureRate = failureRate > 0.01 ? min(failureRate, 1) : 0.01
        self.window = Self.clamped(window)
        self.minimumExchanges = min(max(minimumExchanges, 1), 1_000_000)
        self.openPeriod = Self.clamped(openPeriod)
        self.probes = min(max(probes, 1), 1_000_000)
    }

    /// Whether a window with these counts opens a circuit.
    func isReached(by counts: FailureWindow.Counts) -> Bool {
        // The quotient is rounded as the rate is; a product with the rate could exceed the number of failures.
        counts.exchanges >= minimumExchanges && Double(counts.failures) / Double(counts.exchanges) >= failureRate
    }

    private static func clamped(_ duration: Duration) -> Duration {
        min(max(duration, .milliseconds(1)), .seconds(24 * 3600))
    }
}

/// The circuit of a group of requests.
///
/// It is a value without a clock: each function gets the time since the creation of the circuit breaker.
struct CircuitState: ForgettableState {
    /// The pass of an exchange that may be sent, which its end returns.
    struct Pass: Equatable, Sendable { fileprivate let generation: Int }

    /// The meaning of an exchange's end for the circuit.
    enum Outcome: CaseIterable, Sendable {
        case success
        case failure
        /// The end says nothing about the server.
        case ignored
    }

    /// The decision about an exchange.
    enum Decision: Equatable, Sendable {
        /// The exchange is sent, and may have changed the circuit.
        case allowed(Pass, Change?)
        /// The exchange is refused, as `refused` others since the circuit was opened; `until` is the time of the next probe.
        case refused(since: Duration, until: Duration, refused: Int)
    }

    /// A change of a circuit, with the time since it was opened.
    enum Change: Equatable, Sendable {
        case opened
        case halfOpened(after: Duration)
        case closed(after: Duration)
    }

    /// A phase of the circuit.
    enum Phase: Equatable, Sendable {
        case closed
        case open(until: Duration)
        case halfOpen(Probes)
    }

    /// The probes of a half-open circuit.
    struct Probes: Equatable, Sendable {
        var running = 0
        var succeeded = 0
        /// The time from which a further probe is allowed, because those that are running may never end.
        var next: Duration
    }

    private let rule: CircuitRule
    private(set) var phase = Phase.closed
    /// The time at which the circuit was last opened after it had been closed.
    private(set) var since = Duration.zero
    /// The number of exchanges that were refused since then.
    private var refused = 0
    // A separate property, because changing a value in an enumeration would copy the slices.
    private var window: FailureWindow
    /// The number of changes so far, which tells whether an exchange began before the last one.
    private var generation = 0
    /// The number of exchanges that have a pass.
    private(set) var running = 0
    /// The latest time, because a clock that goes back must not move a circuit back.
    private var latest = Duration.zero

    /// Creates a closed circuit.
    init(_ rule: CircuitRule) {
        self.rule = rule
        window = FailureWindow(length: rule.window)
    }

    var isIdle: Bool { running == 0 }

    func isUnused(at now: Duration) -> Bool { isIdle && phase == .closed && window.isEmpty(at: now) }

    /// Decides about an exchange.
    mutating func request(at time: Duration) -> Decision {
        latest = max(latest, time)
        switch phase {
        case .closed: return .allowed(takePass(), nil)
        case .open(let until):
            guard latest >= until else { return refuse(until: until) }
            change(to: .halfOpen(Probes(running: 1, next: latest + rule.openPeriod)))
            return .allowed(takePass(), .halfOpened(after: latest - since))
        case .halfOpen(var probes):
            guard probes.running + probes.succeeded < rule.probes || latest >= probes.next else {
                return refuse(until: probes.next)
            }
            probes.running += 1
            probes.next = latest + rule.openPeriod
            phase = .halfOpen(probes)
            return .allowed(takePass(), nil)
        }
    }

    /// Handles the end of an exchange, and returns the change of the circuit, if there is one.
    ///
    /// The outcome of an exchange that began before the last change does not count.
    mutating func finish(_ pass: Pass, _ outcome: Outcome, at time: Duration) -> Change? {
        running -= 1
        latest = max(latest, time)
        guard pass.generation == generation else { return nil }
        switch phase {
        case .closed:
            guard outcome != .ignored else { return nil }
            window.record(isFailure: outcome == .failure, at: latest)
            // A success does not open the circuit, even if it completes the minimum.
            guard outcome == .failure, rule.isReached(by: window.counts(at: latest)) else { return nil }
            (since, refused) = (latest, 0)
            window.removeAll()
            return open()
        case .halfOpen(var probes):
            if outcome == .failure { return open() }
            probes.running -= 1
            if outcome == .success { probes.succeeded += 1 }
            if probes.succeeded < rule.probes {
                phase = .halfOpen(probes)
                return nil
            }
            change(to: .closed)
            return .closed(after: latest - since)
        case .open: return nil
        }
    }

    private mutating func open() -> Change {
        change(to: .open(until: latest + rule.openPeriod))
        return .opened
    }

    private mutating func change(to phase: Phase) {
        self.phase = phase
        generation += 1
    }

    private mutating func takePass() -> Pass {
        running += 1
        return Pass(generation: generation)
    }

    private mutating func refuse(until: Duration) -> Decision {
        defer { refused += 1 }
        return .refused(since: since, until: until, refused: refused)
    }
}
