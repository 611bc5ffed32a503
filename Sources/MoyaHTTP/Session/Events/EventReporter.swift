import Foundation

/// Reports the events of one request to its metrics, and to the monitors of its session, one after the other.
final class EventReporter: Sendable {
    private struct State {
        /// The events that the thread which calls the monitors has not taken yet.
        var pending: [RequestEvent] = []
        var isDelivering = false
        /// Whether the last event of the request has been reported.
        var isOver = false
    }

    private let monitors: SessionMonitors
    private let record: RequestRecord
    /// Records the metrics of the request; `nil` if nobody asks for them.
    let metrics: RequestMetricsRecorder?
    private let state = InlineLocked(State())
    /// The reporter of the request, if this one reports the events of a hedge.
    private let requestReporter: EventReporter?
    let hedge: Int

    /// Creates a reporter.
    init(_ monitors: SessionMonitors, _ record: RequestRecord) {
        self.monitors = monitors
        self.record = record
        metrics = monitors.needMetrics ? RequestMetricsRecorder() : nil
        (requestReporter, hedge) = (nil, 0)
    }

    /// Creates a reporter for the hedge with a number.
    init(of hedge: Int, for reporter: EventReporter) {
        (monitors, record, metrics) = (reporter.monitors, reporter.record, reporter.metrics)
        (requestReporter, self.hedge) = (reporter, hedge)
    }

    /// Reports an event, unless the request has ended.
    ///
    /// The transport reports events on its threads, also while the request fails. So a thread that finds another one in a monitor
    /// leaves its event to that thread.
    func report(_ kind: RequestEvent.Kind, _ info: ResponseInfo? = nil) {
        (requestReporter ?? self).report(kind, info, hedge: hedge, at: .now)
    }

    /// Whether there are monitors.
    ///
    /// Without them, the reporter only records metrics, and the values of events for monitors need not be created.
    var hasMonitors: Bool { !monitors.areEmpty }

    /// Whether a monitor needs the phases of exchanges.
    var needsPhases: Bool { monitors.detail == .phases }

    /// Reports a phase of an exchange, which may have been reached earlier.
    func report(_ event: ExchangeEvent, at time: MonotonicTime) {
        // The event of the request for interim responses has their fields.
        if case .interim = event { return }
        (requestReporter ?? self).report(.phase(event), nil, hedge: hedge, at: time)
    }

    private func report(
        _ kind: RequestEvent.Kind,
        _ info: ResponseInfo?,
        hedge: Int,
        at time: MonotonicTime
    ) {
        metrics?.record(kind, at: time)
        guard monitors.receive(kind) else { return }
        let counts = record.counts
        let event = RequestEvent(
            id: record.id,
            retryCount: counts.retries,
            redirectCount: counts.redirects,
            hedge: hedge,
            kind: kind,
            info: info,
            date: kind.isPhase ? Date(timeIntervalSinceNow: -(.now - time).inSeconds) : Date(),
            time: time,
            metricsRecorder: metrics
        )
        let mustDeliver = state.withLock { state in
            guard !state.isOver else { return false }
            state.isOver = kind.isEnd
            state.pending.append(event)
            defer { state.isDelivering = true }
            return !state.isDelivering
        }
        guard mustDeliver else { return }
        while let event = takeNext() {
            monitors.record(event)
        }
    }

    private func takeNext() -> RequestEvent? {
        state.withLock { state in
            state.isDelivering = !state.pending.isEmpty
            return state.isDelivering ? state.pending.removeFirst() : nil
        }
    }

    /// Returns the same body, and reports each chunk that is read, and the end, the error or the release.
    func observing(_ body: TransportBodyStream, status: Int) -> TransportBodyStream {
        body.observed { chunk in
            self.report(.body(bytes: chunk.count))
        } onEnd: { error in
            self.report(error.map { .failed($0) } ?? .finished(status: status))
        }
    }
}

extension RequestEvent.Kind {
    /// Whether the event is the last one of its request.
    fileprivate var isEnd: Bool {
        switch self {
        case .finished, .failed: true
        default: false
        }
    }

    /// Whether only monitors with the detail ``RequestEvent/Detail/phases`` get the event.
    var isPhase: Bool {
        switch self {
        case .phase, .cacheMissed: true
        default: false
        }
    }
}
