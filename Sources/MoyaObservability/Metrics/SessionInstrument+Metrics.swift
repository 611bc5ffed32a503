#if Observability
import CoreMetrics
import MoyaHTTP

extension SessionInstrument {
    /// Measures requests, exchanges and connections by swift-metrics.
    ///
    ///     MetricsSystem.bootstrap(factory)
    ///     let session = Session(options: SessionOptions(instruments: [.metrics()]))
    ///
    /// ``MetricName`` has the names of the metrics. Set up the backend first: its factory is used from then on. Sessions that share a
    /// transport also share the instrument, because it counts the connections of the transport.
    ///
    /// - Parameter options: The options.
    /// - Returns: The instrument.
    public static func metrics(_ options: MetricsOptions = MetricsOptions()) -> SessionInstrument {
        let series = MetricSeries(options, factory: options.factory ?? MetricsSystem.factory)
        return SessionInstrument(
            requests: RequestMeter(options, series),
            exchanges: ExchangeMeter(options, series),
            connections: ConnectionMeter(series)
        )
    }

    /// Measures requests with options that a function changes.
    ///
    ///     .metrics { options in options.measuresBodySizes = true }
    ///
    /// - Parameter configure: Changes the default options.
    /// - Returns: The instrument.
    public static func metrics(_ configure: (inout MetricsOptions) -> Void) -> SessionInstrument {
        var options = MetricsOptions()
        configure(&options)
        return metrics(options)
    }
}
#endif
