#if Observability
import CoreMetrics
import MoyaHTTP
import MoyaLocks

/// The metrics of a session by their dimensions, created when they are first used.
///
/// A backend looks each metric up by all its dimensions, so that they are kept: the recording of one is then a search for a small key.
final class MetricSeries: Sendable {
    /// The dimensions of the metrics of exchanges.
    struct ExchangeKey: Hashable, Sendable {
        var method: String
        var server: ServerName
        var urlTemplate: String?
        var status = 0
        var errorType: String?
        var version: String?
    }

    /// The dimensions of the metrics of connections and their phases.
    struct ServerKey: Hashable, Sendable {
        var name: MetricName
        var server: ServerName
        /// Other dimensions, in the order of the metric's names.
        var others: [String?] = []
    }

    /// The metrics of exchanges with the same dimensions.
    struct ExchangeMetrics: Sendable {
        let duration: CoreMetrics.Timer
        let requestBodySize: Recorder?
        let responseBodySize: Recorder?
    }

    /// The key of the running exchanges.
    private struct ActiveKey: Hashable, Sendable {
        let method: String
        let server: ServerName
        let urlTemplate: String?
    }

    private struct State: Sendable {
        var servers: BoundedNames<ServerName>
        var templates: BoundedNames<String>
        var errorTypes = BoundedNames<String>(maximumCount: 100)
        var exchanges: [ExchangeKey: ExchangeMetrics] = [:]
        var active: [ActiveKey: Meter] = [:]
        var timers: [ServerKey: CoreMetrics.Timer] = [:]
        var counters: [ServerKey: Counter] = [:]
        var meters: [ServerKey: Meter] = [:]
    }

    private let options: MetricsOptions
    private let factory: any MetricsFactory
    private let state: Locked<State>

    init(_ options: MetricsOptions, factory: any MetricsFactory) {
        (self.options, self.factory) = (options, factory)
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
        state.withLock { $0.servers.admit(server) } ? server : ServerName(address: HTTPConventions.other, port: 0)
    }

    /// Returns the template that the metrics name; `nil` if they name none.
    func bounded(template: String?) -> String? {
        guard options.includesURLTemplate, let template else { return nil }
        return state.withLock { $0.templates.admit(template) } ? template : HTTPConventions.other
    }

    /// Returns the type of error that the metrics name.
    func bounded(errorType: String) -> String {
        state.withLock { $0.errorTypes.admit(errorType) } ? errorType : HTTPConventions.other
    }

    // MARK: Metrics

    /// Returns the metrics of exchanges.
    func exchange(_ key: ExchangeKey) -> ExchangeMetrics {
        if let known = state.withLock({ $0.exchanges[key] }) { return known }
        let dimensions = dimensions(of: key)
        let made = ExchangeMetrics(
            duration: timer(.requestDuration, dimensions),
            requestBodySize: options.measuresBodySizes ? recorder(.requestBodySize, dimensions) : nil,
            responseBodySize: options.measuresBodySizes ? recorder(.responseBodySize, dimensions) : nil
        )
        return state.withLock { state in
            if let known = state.exchanges[key] { return known }
            state.exchanges[key] = made
            return made
        }
    }

    /// Returns the meter of running exchanges.
    func active(method: String, server: ServerName, urlTemplate: String?) -> Meter {
        let key = ActiveKey(method: method, server: server, urlTemplate: urlTemplate)
        return metric(key, in: \.active) {
            let dimensions = present([
                ("http.request.method", method), ("server.address", server.address), ("server.port", server.portText),
                template(urlTemplate),
            ])
            return Meter(label: MetricName.activeRequests.rawValue, dimensions: dimensions, factory: factory)
        }
    }

    /// Returns the timer of a server; `others` are further dimensions.
    func timer(_ name: MetricName, _ server: ServerName, _ others: [(String, String?)] = []) -> CoreMetrics.Timer {
        metric(key(name, server, others), in: \.timers) { timer(name, dimensions(of: server, others)) }
    }

    /// Returns the timer of a lookup, whose dimensions are those of the conventions.
    func lookupTimer(_ server: ServerName, errorType: String?) -> CoreMetrics.Timer {
        metric(key(.lookupDuration, server, [("error.type", errorType)]), in: \.timers) {
            timer(.lookupDuration, present([("dns.question.name", server.address), ("error.type", errorType)]))
        }
    }

    /// Returns the counter of a server.
    func counter(_ name: MetricName, _ server: ServerName, _ others: [(String, String?)] = []) -> Counter {
        metric(key(name, server, others), in: \.counters) {
            Counter(label: name.rawValue, dimensions: dimensions(of: server, others), factory: factory)
        }
    }

    /// Returns the meter of a server.
    func meter(_ name: MetricName, _ server: ServerName, _ others: [(String, String?)] = []) -> Meter {
        metric(key(name, server, others), in: \.meters) {
            Meter(label: name.rawValue, dimensions: dimensions(of: server, others), factory: factory)
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

    private func timer(_ name: MetricName, _ dimensions: [(String, String)]) -> CoreMetrics.Timer {
        CoreMetrics.Timer(
            label: name.rawValue,
            dimensions: dimensions,
            preferredDisplayUnit: .seconds,
            factory: factory
        )
    }

    private func recorder(_ name: MetricName, _ dimensions: [(String, String)]) -> Recorder {
        Recorder(label: name.rawValue, dimensions: dimensions, aggregate: true, factory: factory)
    }

    // MARK: Dimensions

    private func key(_ name: MetricName, _ server: ServerName, _ others: [(String, String?)]) -> ServerKey {
        ServerKey(name: name, server: server, others: others.map(\.1))
    }

    private func dimensions(of key: ExchangeKey) -> [(String, String)] {
        present([
            ("http.request.method", key.method), ("server.address", key.server.address),
            ("server.port", key.server.portText), template(key.urlTemplate),
            ("http.response.status_code", key.status == 0 ? nil : String(key.status)), ("error.type", key.errorType),
            ("network.protocol.version", key.version),
        ])
    }

    private func dimensions(of server: ServerName, _ others: [(String, String?)]) -> [(String, String)] {
        present([("server.address", server.address), ("server.port", server.portText)] + others)
    }

    /// Returns the template as a dimension without a name if the metrics have none.
    private func template(_ urlTemplate: String?) -> (String, String?) {
        options.includesURLTemplate ? ("url.template", urlTemplate) : ("", nil)
    }

    /// Returns the dimensions with a name, and those without a value as the options say.
    private func present(_ dimensions: [(String, String?)]) -> [(String, String)] {
        dimensions.compactMap { name, value in
            guard !name.isEmpty else { return nil }
            guard let value else { return options.absentDimensions == .empty ? (name, "") : nil }
            return (name, value)
        }
    }
}

extension ServerName {
    /// The port as a dimension; `nil` for a server that metrics do not name.
    fileprivate var portText: String? { port == 0 ? nil : String(port) }
}
#endif
