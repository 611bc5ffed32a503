#if Observability
import CoreMetrics
import MoyaHTTP

/// The options of metrics: ``SessionInstrument/metrics(_:)``.
public struct MetricsOptions: Sendable {
    /// The treatment of a dimension without a value, such as `error.type` of a request that has succeeded.
    public enum AbsentDimensions: Sendable {
        /// The dimension has the empty text.
        ///
        /// All series of a metric then have the same dimensions. swift-prometheus requires it and ends the process otherwise; to
        /// Prometheus, a label with the empty text is the same as no label.
        case empty
        /// The dimension is left out, as the conventions ask for it, for a backend that exports by OTLP.
        case omitted
    }

    /// The end of `http.client.request.duration`: by default the head of the response, like that of spans.
    public var extent = ExchangeExtent.head
    /// The treatment of a dimension without a value.
    public var absentDimensions = AbsentDimensions.empty
    /// Whether the sizes of bodies are measured; the default is false, as in the conventions.
    public var measuresBodySizes = false
    /// Whether the phases of exchanges are measured: the wait for a connection, the lookup of the host, the establishment of the connection
    /// and the TLS handshake; the default is true.
    public var measuresPhases = true
    /// Whether the metrics of requests have the dimension `url.template`: the default is true.
    ///
    /// It is absent for targets without a template: see ``URLTemplateProviding``.
    public var includesURLTemplate = true
    /// The methods that metrics name; another one is `_OTHER`.
    public var knownMethods = HTTPConventions.knownMethods
    /// The maximum number of servers that metrics name; further ones are `_OTHER`.
    public var maximumServerCount = 100
    /// The maximum number of URL templates that metrics name; further ones are `_OTHER`.
    public var maximumURLTemplateCount = 200
    /// The factory of the metrics; `nil`, the default, for the one of `MetricsSystem` when the instrument is created.
    public var factory: (any MetricsFactory)?

    /// Creates options with the default values.
    public init() {}
}
#endif
