#if Observability
import CoreMetrics
import HTTPTypes
import MoyaHTTP
import MoyaLocks

/// Measures each exchange.
struct ExchangeMeter: ExchangeInstrument {
    private let options: MetricsOptions
    private let series: MetricSeries

    init(_ options: MetricsOptions, _ series: MetricSeries) { (self.options, self.series) = (options, series) }

    var needsTimings: Bool { options.measuresPhases || options.measuresBodySizes }

    func begin(
        _ exchange: borrowing InstrumentedExchange,
        adding fields: inout HTTPFields
    ) -> (any ExchangeObservation)? {
        guard let server = ServerName(of: exchange.request.url, fields) else { return nil }
        let key = MetricSeries.ExchangeKey(
            method: MethodName(exchange.request.method, known: options.knownMethods).value,
            server: series.bounded(server),
            urlTemplate: series.bounded(template: exchange.urlTemplate)
        )
        if exchange.request.isResent { series.counter(.resends, key.server).increment() }
        let active = series.active(method: key.method, server: key.server, urlTemplate: key.urlTemplate)
        active.increment()
        return ExchangeMeasurement(key, active: active, of: exchange, options, series)
    }
}

/// The measurement of one exchange.
final class ExchangeMeasurement: ExchangeObservation {
    private struct State: Sendable {
        var key: MetricSeries.ExchangeKey
        /// The metrics, once the duration is recorded.
        var metrics: MetricSeries.ExchangeMetrics?
    }

    private let start = ContinuousClock.now
    private let state: InlineLocked<State>
    private let active: Meter
    private let requestBody: HTTPBody?
    private let recorder: ExchangeRecorder?
    private let options: MetricsOptions
    private let series: MetricSeries

    init(
        _ key: MetricSeries.ExchangeKey,
        active: Meter,
        of exchange: borrowing InstrumentedExchange,
        _ options: MetricsOptions,
        _ series: MetricSeries
    ) {
        state = InlineLocked(State(key: key))
        (self.active, self.options, self.series) = (active, options, series)
        (requestBody, recorder) = (exchange.request.body, exchange.recorder)
    }

    func receivedHead(of response: TransportResponse) {
        let (status, version) = (response.status, ProtocolVersion.of(response.info?.httpVersion))
        let key = state.withLock { state in
            state.key.status = status
            state.key.version = version
            state.key.errorType = ErrorType.of(status: status)
            return state.key
        }
        if options.extent == .head { recordDuration(key) }
    }

    func ended(_ end: ExchangeEnd) {
        active.decrement()
        let (bodySize, error): (Int64, (any Error)?) =
            switch end {
            case .finished(let size), .cancelled(let size): (size, nil)
            case .failed(let error, let size): (size, error)
            }
        let errorType = error.map { series.bounded(errorType: ErrorType.of($0)) }
        let (key, recorded) = state.withLock { state in
            if state.metrics == nil, let errorType { state.key.errorType = errorType }
            return (state.key, state.metrics)
        }
        let metrics = recorded ?? recordDuration(key)
        if options.measuresBodySizes { recordSizes(metrics, hasResponse: key.status != 0, bodySize: bodySize) }
        if options.measuresPhases, let timings = recorder?.timings { recordPhases(timings, key.server, errorType) }
    }

    @discardableResult
    private func recordDuration(_ key: MetricSeries.ExchangeKey) -> MetricSeries.ExchangeMetrics {
        let duration = ContinuousClock.now - start
        let metrics = series.exchange(key)
        metrics.duration.record(duration)
        state.withLock { $0.metrics = metrics }
        return metrics
    }

    private func recordSizes(_ metrics: MetricSeries.ExchangeMetrics, hasResponse: Bool, bodySize: Int64) {
        let known = requestBody == nil ? 0 : requestBody?.inlineData.map { Int64($0.count) }
        if let sent = recorder?.timings.bytes.requestBody ?? known { metrics.requestBodySize?.record(sent) }
        if hasResponse { metrics.responseBodySize?.record(bodySize) }
    }

    /// Records the phases that have ended, and the one that has failed up to its failure.
    private func recordPhases(_ timings: ExchangeTimings, _ server: ServerName, _ errorType: String?) {
        func record(_ phase: ExchangeTimings.Phase?, _ timer: (_ errorType: String?) -> CoreMetrics.Timer) {
            guard let phase else { return }
            if let duration = phase.duration {
                timer(nil).record(duration)
            } else if let errorType, let ended = timings.ended {
                timer(errorType).record(ended - phase.start)
            }
        }
        func timer(_ name: MetricName) -> (String?) -> CoreMetrics.Timer {
            { [series] in series.timer(name, server, [("error.type", $0)]) }
        }
        record(timings.queued, timer(.queueDuration))
        record(timings.lookup) { [series] in series.lookupTimer(server, errorType: $0) }
        record(timings.connect, timer(.connectDuration))
        record(timings.tls, timer(.tlsDuration))
    }
}
#endif
