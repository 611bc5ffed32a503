#if Observability
/// The names of the metrics that ``SessionInstrument/metrics(_:)`` records.
///
/// Names that begin with `http.` and `dns.` are those of the conventions; the others belong to this library. A backend may replace the
/// dots. Durations are timers: a backend exports them in its unit, which the conventions want to be seconds.
public enum MetricName: String, Sendable, CaseIterable {
    /// The duration of exchanges, a timer.
    case requestDuration = "http.client.request.duration"
    /// The number of running exchanges, a meter.
    case activeRequests = "http.client.active_requests"
    /// The sizes of request bodies in bytes, a recorder; only if ``MetricsOptions/measuresBodySizes`` is true.
    case requestBodySize = "http.client.request.body.size"
    /// The sizes of response bodies in bytes before decoding, a recorder; only if ``MetricsOptions/measuresBodySizes`` is true.
    case responseBodySize = "http.client.response.body.size"
    /// The number of open connections by `http.connection.state`, which is `active` or `idle`, a meter; over `NIOTransport` only.
    case openConnections = "http.client.open_connections"
    /// The time between the opening and the end of connections, a timer; over `NIOTransport` only.
    case connectionDuration = "http.client.connection.duration"
    /// The time of lookups of host names, a timer.
    case lookupDuration = "dns.lookup.duration"
    /// The time for which exchanges wait for a connection, also for one that is being opened, a timer.
    ///
    /// Exchanges that get a free connection immediately are not among them.
    case queueDuration = "moya.client.queue.duration"
    /// The time of the establishment of connections over TCP for which an exchange waits, a timer.
    case connectDuration = "moya.client.connect.duration"
    /// The time of TLS handshakes for which an exchange waits, a timer.
    case tlsDuration = "moya.client.tls.duration"
    /// The number of retries, a counter.
    case retries = "moya.client.retries"
    /// The number of times that requests were sent again because they were lost with their connection or not processed, a counter.
    case resends = "moya.client.resends"
    /// The number of requests that a cache was asked for, by `moya.cache.result`, a counter: `cache` for a fresh stored response,
    /// `revalidated`, `stale`, and `network` for a miss.
    case cacheRequests = "moya.client.cache.requests"
}
#endif
