/// A part of a session that traces, measures or logs its requests, by the conventions of OpenTelemetry.
///
/// The product `MoyaObservability` creates instruments, for swift-distributed-tracing, swift-metrics and swift-log:
///
///     let session = Session(options: SessionOptions(instruments: [.tracing(), .metrics(), .logging(logger)]))
///
/// For other purposes there are ``EventMonitor`` and ``HTTPMiddleware``.
public struct SessionInstrument: Sendable {
    /// Observes whole requests; `nil` if the instrument does not need them.
    package let requests: (any RequestInstrument)?
    /// Observes exchanges; `nil` if the instrument does not need them.
    package let exchanges: (any ExchangeInstrument)?
    /// Observes the connections of the transport; `nil` if the instrument does not need them.
    package let connections: (any ConnectionObserver)?

    /// Creates an instrument.
    package init(
        requests: (any RequestInstrument)? = nil,
        exchanges: (any ExchangeInstrument)? = nil,
        connections: (any ConnectionObserver)? = nil
    ) {
        (self.requests, self.exchanges, self.connections) = (requests, exchanges, connections)
    }
}
