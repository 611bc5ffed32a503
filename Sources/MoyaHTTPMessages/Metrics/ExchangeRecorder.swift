import Foundation

/// A recorder of the times of one exchange, to which its transport reports the events.
///
/// A session sets ``TransportRequest/recorder`` if a monitor, an option or a recording asks for the times; otherwise it is `nil`, and
/// nothing is measured. A custom transport reports the events that it knows:
///
///     request.recorder?.record(.acquired(connection, isReused: true))
///
/// The events are recorded in the order of the calls, which may come from any thread. A transport that sends one request several times,
/// such as `NIOTransport` after a 417, records the last exchange.
public final class ExchangeRecorder: Sendable {
    /// A function that receives each event with its time.
    public typealias Observer = @Sendable (_ event: ExchangeEvent, _ instant: ContinuousClock.Instant) -> Void

    private struct State: Sendable {
        var timings = ExchangeTimings()
        /// The events that the thread which calls the observer has not taken yet.
        var pending: [TimedEvent] = []
        var isDelivering = false

        func time(of time: MonotonicTime) -> Duration { max(.zero, time - timings.startTime) }

        /// Records an event, and adds it to the pending ones if it is observed.
        mutating func record(_ timed: TimedEvent, ofAttempt attempt: Int?, isObserved: Bool) {
            let started = timings.responseStarted
            guard timings.record(timed.event, at: time(of: timed.time), ofAttempt: attempt), isObserved else {
                return
            }
            if case .responseHead = timed.event, started == nil, let started = timings.responseStarted {
                pending.append(TimedEvent(.responseStarted, at: timings.startTime + started))
            }
            pending.append(TimedEvent(timed.event.with(timings.bytes), at: timed.time))
        }
    }

    private let state: InlineLocked<State>
    private let observer: Observer?

    /// Creates the recorder of an exchange that begins now.
    ///
    /// - Parameter observer: Receives each event, one after the other, on a thread of the transport, which it must not block.
    public init(observer: Observer? = nil) {
        state = InlineLocked(State())
        self.observer = observer
    }

    /// The times so far.
    public var timings: ExchangeTimings { state.withLock { $0.timings } }

    /// Records an event; does nothing after the end of the exchange.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - instant: The time of the event, which may be earlier than the time of the call.
    public func record(_ event: ExchangeEvent, at instant: ContinuousClock.Instant = .now) {
        enqueue(event, at: MonotonicTime(instant))
        deliver()
    }

    // MARK: The package's transports

    /// Records an event, and leaves it to ``deliver()`` to pass it to the observer.
    ///
    /// A caller that holds a lock, such as that of a connection pool, may call it: the recorder takes no other lock.
    package func enqueue(_ event: ExchangeEvent, at time: MonotonicTime = .now) {
        record { $0.record(TimedEvent(event, at: time), ofAttempt: nil, isObserved: $1) }
    }

    /// Passes the pending events to the observer, unless another thread does this at the moment.
    package func deliver() {
        guard let observer else { return }
        let isMine = state.withLock { state in
            guard !state.isDelivering else { return false }
            state.isDelivering = true
            return true
        }
        guard isMine else { return }
        while let timed = takeNext() { observer(timed.event, timed.time.instant) }
    }

    /// Records events of a connect attempt that the exchange waits for.
    ///
    /// Those that the exchange has not waited for are left out: ``ConnectAttemptLog/events(since:)``.
    package func record(_ log: ConnectAttemptLog) {
        record { state, isObserved in Self.record(log, in: &state, isObserved: isObserved) }
        deliver()
    }

    /// Records an event of a connect attempt that the exchange waits for.
    package func record(_ timed: TimedEvent, ofAttempt number: Int) {
        record { $0.record(timed, ofAttempt: number, isObserved: $1) }
        deliver()
    }

    /// Records that the exchange has the connection of a connect attempt.
    ///
    /// If the exchange has not observed that attempt, its phases for which the exchange has waited replace those of the observed one.
    package func record(_ connection: ExchangeConnection, isReused: Bool, openedBy log: ConnectAttemptLog) {
        let acquired = TimedEvent(.acquired(connection, isReused: isReused), at: .now)
        record { state, isObserved in
            if state.timings.attempt != log.number {
                state.timings.keepAttempt(log.number)
                Self.record(log, in: &state, isObserved: isObserved)
            }
            state.record(acquired, ofAttempt: nil, isObserved: isObserved)
        }
        deliver()
    }

    /// Records that the exchange has a connection, of which nothing is known, unless it has one already.
    package func recordUnknownConnection() {
        let acquired = TimedEvent(.acquired(ExchangeConnection(), isReused: nil), at: .now)
        record { state, isObserved in
            guard state.timings.acquired == nil else { return }
            state.record(acquired, ofAttempt: nil, isObserved: isObserved)
        }
        deliver()
    }

    /// Records that a request has been sent at once, with its body.
    ///
    /// One lock and one clock reading for both parts, since most requests are sent in this way.
    package func recordRequest(headBytes: Int, bodyBytes: Int) {
        let now = MonotonicTime.now
        record { state, isObserved in
            let head = TimedEvent(.requestHeadSent(bytes: Int64(headBytes)), at: now)
            state.record(head, ofAttempt: nil, isObserved: isObserved)
            let end = TimedEvent(.requestSent(bodyBytes: Int64(bodyBytes)), at: now)
            state.record(end, ofAttempt: nil, isObserved: isObserved)
        }
        deliver()
    }

    /// Records that a whole response has arrived at once.
    package func recordResponse(status: Int, bodyBytes: Int) {
        let now = MonotonicTime.now
        record { state, isObserved in
            let head = TimedEvent(.responseHead(status: status, bytes: nil), at: now)
            state.record(head, ofAttempt: nil, isObserved: isObserved)
            let end = TimedEvent(.responseEnded(bodyBytes: Int64(bodyBytes)), at: now)
            state.record(end, ofAttempt: nil, isObserved: isObserved)
        }
        deliver()
    }

    /// Records that the head of the request has been sent; only the first call counts.
    package func recordRequestHeadSent() {
        let sent = TimedEvent(.requestHeadSent(bytes: nil), at: .now)
        record { state, isObserved in
            guard state.timings.requestHeadSent == nil else { return }
            state.record(sent, ofAttempt: nil, isObserved: isObserved)
        }
        deliver()
    }

    /// Records that bytes of a response have arrived: ``ExchangeTimings/receivedBytes(at:)``.
    package func receivedBytes() {
        let now = MonotonicTime.now
        state.withLock { $0.timings.receivedBytes(at: $0.time(of: now)) }
    }

    /// Adds bytes to the number of a part.
    package func count(_ number: Int, in part: ExchangeTimings.CountedPart) {
        state.withLock { $0.timings.count(number, in: part) }
    }

    /// Forgets all events, because the transport sends the request again.
    package func restart() {
        state.withLock { state in
            state.timings = ExchangeTimings(startTime: state.timings.startTime, date: state.timings.date)
        }
    }

    /// Replaces the times by those of events that the transport knows only at the end of the exchange.
    ///
    /// The observer gets the events that have not been recorded live.
    package func replaceTimes(by events: [TimedEvent]) {
        state.withLock { state in
            let live = state.timings
            state.timings = live.replaced(by: events)
            guard observer != nil, live.ended == nil else { return }
            for timed in events where !live.contains(timed.event) {
                state.pending.append(TimedEvent(timed.event.with(state.timings.bytes), at: timed.time))
            }
        }
        deliver()
    }

    // MARK: Private

    private func record(_ body: (inout State, _ isObserved: Bool) -> Void) {
        let isObserved = observer != nil
        state.withLock { body(&$0, isObserved) }
    }

    private func takeNext() -> TimedEvent? {
        state.withLock { state in
            state.isDelivering = !state.pending.isEmpty
            return state.isDelivering ? state.pending.removeFirst() : nil
        }
    }

    private static func record(_ log: ConnectAttemptLog, in state: inout State, isObserved: Bool) {
        guard let queued = state.timings.queued?.start else { return }
        for timed in log.events(since: state.timings.startTime + queued) {
            state.record(timed, ofAttempt: log.number, isObserved: isObserved)
        }
    }
}

extension ExchangeEvent {
    /// Returns the event with the counted sizes, if it has none.
    fileprivate func with(_ bytes: ExchangeTimings.ByteCounts) -> ExchangeEvent {
        switch self {
        case .requestHeadSent(nil): .requestHeadSent(bytes: bytes.requestHead)
        case .requestSent(nil): .requestSent(bodyBytes: bytes.requestBody)
        case .responseHead(let status, nil): .responseHead(status: status, bytes: bytes.responseHead)
        case .responseEnded(nil): .responseEnded(bodyBytes: bytes.responseBody)
        default: self
        }
    }
}

extension ExchangeTimings {
    /// Whether an event of this kind has been recorded.
    fileprivate func contains(_ event: ExchangeEvent) -> Bool {
        switch event {
        case .queued: queued != nil
        case .lookupStarted: lookup != nil
        case .lookupEnded: lookup?.end != nil
        case .connectStarted: connect != nil
        case .connectEnded: connect?.end != nil
        case .proxyStarted: proxy != nil
        case .proxyEnded: proxy?.end != nil
        case .tlsStarted: tls != nil
        case .tlsEnded: tls?.end != nil
        case .connectFailed: false
        case .acquired: acquired != nil
        case .requestHeadSent: requestHeadSent != nil
        case .requestSent: requestSent != nil
        case .interim: interimCount > 0
        case .responseStarted: responseStarted != nil
        case .responseHead: responseHead != nil
        case .responseEnded, .failed: ended != nil
        }
    }
}
