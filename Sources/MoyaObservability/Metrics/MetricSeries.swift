#if Observability
import CoreMetrics
import MoyaHTTP
import MoyaLocks

/// The metrics of a session by their dimensions, created when they are first used.
///
/// A backend looks each metric up by all its dimensions, so that they are kept: the recording of one is then a search for a small key.
final class MetricSeries: Sendable {
    /// The method, the server and the template of exchanges.
    private struct ExchangeKey: Hashable, Sendable {
        var method: String
        var server: ServerName
        var urlTemplate: String?
    }

    /// The dimensions of the metrics of connections and their phases.
    struct ServerKey: Hashable, Sendable {
        var name: MetricName
        var server: ServerName
        /// Other dimensions, in the order of the metric's names.
        var others: [String?] = []
    }

    private struct State: Sendable {
        var servers: BoundedNames<ServerName>
        var templates: BoundedNames<String>
        var errorTypes = BoundedNames<String>(maximumCount: 100)
        var exchanges: [ExchangeKey: ExchangeSeries] = [:]
        var timers: [ServerKey: CoreMetrics.Timer] = [:]
        var counters: [ServerKey: Counter] = [:]
        var meters: [ServerKey: Meter] = [:]
    }

    private let options: MetricsOptions
    private let maker: MetricMaker
    private let state: Locked<State>

    init(_ options: MetricsOptions, factory: any MetricsFactory) {
        self.options = options
        maker = MetricMaker(absentDimensions: options.absentDimensions, factory: factory)
        state = Locked(
            State(
                servers: BoundedNames(maximumCount: options.maximumServerCount),
                templates: BoundedNames(maximumCount: options.maximumURLTemplateCount)
            )
        )
    }

    // MARK: Names

    /// Returns the server that the metrics name: the same one, or `_OTHER` if there are too many.
    func bounded(_ server: ServerName) -> ServerName {
        state.withLock { $0.servers.admit(server) } ? server : .other
    }

    /// Returns the type of error that the metrics name.
    func bounded(errorType: String) -> String {
        state.withLock { $0.errorTypes.admit(errorType) } ? errorType : HTTPConventions.other
    }

    // MARK: Metrics

    /// Returns the series of exchanges with a known method, a server and a template.
    func exchanges(method: String, server: ServerName, urlTemplate: String?) -> ExchangeSeries {
        let key = ExchangeKey(
            method: method,
            server: server,
            urlTemplate: options.includesURLTemplate ? urlTemplate : nil
        )
        if let known = state.withLock({ $0.exchanges[key] }) { return known }
        // The names that are bounded may have a series.
        let bounded = state.withLock { state in
            var bounded = key
            if !state.servers.admit(server) { bounded.server = .other }
            if let template = key.urlTemplate, !state.templates.admit(template) {
                bounded.urlTemplate = HTTPConventions.other
            }
            return bounded
        }
        return metric(bounded, in: \.exchanges) { makeExchanges(bounded) }
    }

    private func makeExchanges(_ key: ExchangeKey) -> ExchangeSeries {
        let common: [(String, String?)] =
            [
                ("http.request.method", key.method), ("server.address", key.server.address),
                ("server.port", key.server.portText),
            ] + (options.includesURLTemplate ? [("url.template", key.urlTemplate)] : [])
        return ExchangeSeries(server: key.server, active: maker.meter(.activeRequests, common)) {
            [options, maker] outcome in
            let dimensions =
                common + [
                    ("http.response.status_code", outcome.status == 0 ? nil : String(outcome.status)),
                    ("error.type", outcome.errorType), ("network.protocol.version", outcome.version),
                ]
            let measuresSizes = options.measuresBodySizes
            return ExchangeSeries.Metrics(
                duration: maker.timer(.requestDuration, dimensions),
                requestBodySize: measuresSizes ? maker.recorder(.requestBodySize, dimensions) : nil,
                responseBodySize: measuresSizes ? maker.recorder(.responseBodySize, dimensions) : nil
            )
        }
    }

    /// Returns the timer of a server; `others` are further dimensions.
    func timer(_ name: MetricName, _ server: ServerName, _ others: [(String, String?)] = []) -> CoreMetrics.Timer {
        metric(key(name, server, others), in: \.timers) { maker.timer(name, dimensions(of: server, others)) }
    }

    /// Returns the timer of a lookup, whose dimensions are those of the conventions.
    func lookupTimer(_ server: ServerName, errorType: String?) -> CoreMetrics.Timer {
        metric(key(.lookupDuration, server, [("error.type", errorType)]), in: \.timers) {
            maker.timer(.lookupDuration, [("dns.question.name", server.address), ("error.type", errorType)])
        }
    }

    /// Returns the counter of a server.
    func counter(_ name: MetricName, _ server: ServerName, _ others: [(String, String?)] = []) -> Counter {
        metric(key(name, server, others), in: \.counters) {
            maker.counter(name, dimensions(of: server, others))
        }
    }

    /// Returns the meter of a server.
    func meter(_ name: MetricName, _ server: ServerName, _ others: [(String, String?)] = []) -> Meter {
        metric(key(name, server, others), in: \.meters) {
            maker.meter(name, dimensions(of: server, others))
        }
    }

    /// Returns a metric that is created once for a key.
    private func metric<Key: Hashable & Sendable, Metric: Sendable>(
        _ key: Key,
        in table: WritableKeyPath<State, [Key: Metric]> & Sendable,
        make: () -> Metric
    ) -> Metric {
        if let known = state.withLock({ $0[keyPath: table][key] }) { return known }
        // The factory is code of the application, and is called without the lock. It returns the same handler for the same dimensions.
        let made = make()
        return state.withLock { state in
            if let known = state[keyPath: table][key] { return known }
            state[keyPath: table][key] = made
            return made
        }
    }

    // MARK: Dimensions

    private func key(_ name: MetricName, _ server: ServerName, _ others: [(String, String?)]) -> ServerKey {
        ServerKey(name: name, server: server, others: others.map(\.1))
    }

    private func dimensions(of server: ServerName, _ others: [(String, String?)]) -> [(String, String?)] {
        [("server.address", server.address), ("server.port", server.portText)] + others
    }
}

extension ServerName {
    /// The name in place of the servers that metrics do not name.
    fileprivate static let other = ServerName(address: HTTPConventions.other, port: 0)

    /// The port as a dimension; `nil` for a server that metrics do not name.
    fileprivate var portText: String? { port == 0 ? nil : String(port) }
}
#endif
