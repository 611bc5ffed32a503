/// Sends a slow request again while the first exchange runs, and uses the response that arrives first.
///
///     var resilience = Resilience()
///     resilience.hedging = Hedging(after: .percentile(0.95))
///     let session = Session(resilience: resilience)
///
/// It shortens the slowest responses of servers that are usually fast, for a small additional load. Each further exchange is a
/// *hedge*. The hedges of all requests take from a ``RetryBudget``. The first good response wins, and the other exchanges are
/// cancelled: an HTTP/1.1 connection is closed, and an HTTP/2 stream is reset. A failure, or a status such as 503 after which a
/// request may be retried, does not win as long as another exchange runs; if all fail, the result is that of the first exchange.
///
/// A hedge is an exchange like a resend: retries, redirects, cookies and the cache do not see it, exchange middleware does. It
/// takes a token of a ``RateLimiter`` if there is one, and is left out otherwise.
///
/// Sessions that share an object share its latencies.
public final class Hedging: Sendable {
    /// The time after which a request without a response is sent again.
    public let delay: HedgingDelay
    /// The maximum number of hedges of a request.
    public let maximumHedges: Int
    /// The limit on the hedges of all requests together.
    public let budget: RetryBudget
    /// The rule by which requests share their latencies; a request without a key is not hedged.
    public let key: LimitKey
    /// The methods of requests that may be hedged.
    public let methods: Set<HTTPMethod>

    private struct State: Sendable {
        var latencies = KeyedStates<LatencyHistogram>()
    }

    private let clock: LimiterClock
    /// The timers of the delays.
    let timers: TimerQueue
    private let state = Locked(State())

    /// Creates a hedging without latencies.
    ///
    /// By default, requests with safe methods are hedged (RFC 9110, section 9.2.1). PUT and DELETE are idempotent, too, but the
    /// second exchange may have another response than the first one: 404 after a DELETE, 412 after a conditional PUT. Name them in
    /// `methods` if this does no harm.
    ///
    /// - Parameters:
    ///   - delay: The time after which a request without a response is sent again.
    ///   - maximumHedges: The maximum number of hedges of a request, from 1 to 4; each one follows the previous one after the
    ///     delay.
    ///   - budget: The limit on the hedges of all requests together. By default, ten requests earn one hedge, and one hedge per
    ///     second is always allowed. Pass the budget of a ``RetryPolicy`` to limit retries and hedges together.
    ///   - key: The rule by which requests share their latencies.
    ///   - methods: The methods of requests that may be sent twice.
    ///   - clock: The clock that measures the delays and the latencies.
    public init(
        after delay: HedgingDelay,
        maximumHedges: Int = 1,
        budget: RetryBudget = RetryBudget(share: 0.1, reservePerSecond: 1),
        by key: LimitKey = .origin,
        methods: Set<HTTPMethod> = [.get, .head, .options, .trace, .query],
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.delay = delay
        self.maximumHedges = min(max(maximumHedges, 1), 4)
        self.budget = budget
        self.key = key
        self.methods = methods
        self.clock = LimiterClock(clock)
        timers = TimerQueue(self.clock)
    }

    // MARK: Requests

    /// A request that may be hedged.
    struct HedgeableRequest: Sendable {
        fileprivate let key: LimitKey.Value
        fileprivate let start: Duration
        /// The delay until each hedge; `nil` if the latencies are not known well enough.
        let delay: Duration?
    }

    /// Begins a request: counts it in the budget, and returns its delay; `nil` if it must not be hedged.
    func begin(_ request: TransportRequest) -> HedgeableRequest? {
        // Each upgrade would begin a conversation with the server.
        guard methods.contains(request.method), request.isBodyRepeatable, request.upgrade == nil,
            let key = key.value(of: request)
        else { return nil }
        budget.depositForHedging()
        let now = clock.now
        guard delay.usesLatencies else {
            return HedgeableRequest(key: key, start: now, delay: delay.value(after: nil))
        }
        let value = state.withLock { state in
            state.latencies.withState(of: key, at: now, creating: { LatencyHistogram() }) { delay.value(after: $0) }
        }
        return HedgeableRequest(key: key, start: now, delay: value)
    }

    /// Returns the time since a request began.
    func elapsed(of request: HedgeableRequest) -> Duration { clock.now - request.start }

    /// Handles the end of a request, and records its latency.
    ///
    /// The latency of a hedged request is that of the whole request, also if a hedge has won: the first exchange would have taken
    /// longer. If the latency of the hedge counted, a percentile would fall with each hedge. A failure counts if it took longer
    /// than the delay; a server that fails fast is not a fast server.
    func end(_ request: HedgeableRequest, isGood: Bool) {
        guard delay.usesLatencies else { return }
        let elapsed = elapsed(of: request)
        guard isGood || request.delay.map({ elapsed > $0 }) ?? false else { return }
        state.withLock { state in _ = state.latencies.withExistingState(of: request.key) { $0.record(elapsed) } }
    }
}
