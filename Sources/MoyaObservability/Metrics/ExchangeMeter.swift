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
        let exchanges = series.exchanges(
            method: MethodName(exchange.request.method, known: options.knownMethods).value,
            server: server,
            urlTemplate: exchange.urlTemplate
        )
        if exchange.request.isResent { series.counter(.resends, exchanges.server).increment() }
        exchanges.active.increment()
        return ExchangeMeasurement(of: exchange, in: exchanges, options, series)
    }
}

/// The measurement of one exchange.
final class ExchangeMeasurement: ExchangeObservation {
    private struct State: Sendable {
        var outcome = ExchangeSeries.Outcome()
        /// The metrics, once the duration is recorded.
        var metrics: ExchangeSeries.Metrics?
    }

    private let start = ContinuousClock.now
    private let state = InlineLocked(State())
    private let exchanges: ExchangeSeries
    private let requestBody: HTTPBody?
    private let recorder: ExchangeRecorder?
    private let options: MetricsOptions
    private let series: MetricSeries

    init(
        of exchange: borrowing InstrumentedExchange,
        in exchanges: ExchangeSeries,
        _ options: MetricsOptions,
        _ series: MetricSeries
    ) {
        (self.exchanges, self.options, self.series) = (exchanges, options, series)
        (requestBody, recorder) = (exchange.request.body, exchange.recorder)
    }

    func receivedHead(of response: TransportResponse) {
        let outcome = ExchangeSeries.Outcome(
            status: response.status,
            version: ProtocolVersion.of(response.info?.httpVersion),
            errorType: ErrorType.of(status: response.status)
        )
        state.withLock { $0.outcome = outcome }
        if options.extent == .head { recordDuration(outcome) }
    }

    func ended(_ end: ExchangeEnd) {
        exchanges.active.decrement()
        let (bodySize, error): (Int64, (any Error)?) =
            switch end {
            case .finished(let size), .cancelled(let size): (size, nil)
            case .failed(let error, let size): (size, error)
            }
        let errorType = error.map { series.bounded(errorType: ErrorType.of($0)) }
        let (outcome, recorded) = state.withLock { state in
            if state.metrics == nil, let errorType { state.outcome.errorType = errorType }
            return (state.outcome, state.metrics)
        }
        let metrics = recorded ?? recordDuration(outcome)
        if options.measuresBodySizes { recordSizes(metrics, hasResponse: outcome.status != 0, bodySize: bodySize) }
        if options.measuresPhases, let timings = recorder?.timings {
            recordPhases(timings, exchanges.server, errorType)
        }
    }

    @discardableResult
    private func recordDuration(_ outcome: ExchangeSeries.Outcome) -> ExchangeSeries.Metrics {
        let duration = ContinuousClock.now - start
        let metrics = exchanges.metrics(of: outcome)
        metrics.duration.record(duration)
        state.withLock { $0.metrics = metrics }
        return metrics
    }

    private func recordSizes(_ metrics: ExchangeSeries.Metrics, hasResponse: Bool, bodySize: Int64) {
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
