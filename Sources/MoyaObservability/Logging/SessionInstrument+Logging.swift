#if Observability
import Logging
import MoyaHTTP

extension SessionInstrument {
    /// Logs one line for each request by swift-log, when it has ended, with structured metadata.
    ///
    ///     let session = Session(options: SessionOptions(instruments: [.logging(Logger(label: "http"))]))
    ///
    /// The line is `GET https://api.example.com/zen 200`, or `GET https://api.example.com/zen timedOut`. The metadata have the names of
    /// the conventions. Secrets in URLs and errors are masked, and fields and bodies are not logged. In a trace, the metadata provider of
    /// the tracing library adds its identifiers, also those of the request's span if ``TracingOptions/tracesRequests`` is true and the
    /// tracing is before the logging in ``SessionOptions/instruments``.
    ///
    /// For logs that people read during development there is `NetworkLoggerPlugin`.
    ///
    /// - Parameters:
    ///   - logger: The logger.
    ///   - options: The options.
    /// - Returns: The instrument.
    public static func logging(_ logger: Logger, _ options: LoggingOptions = LoggingOptions()) -> SessionInstrument {
        SessionInstrument(requests: RequestLogger(logger, options))
    }

    /// Logs one line for each request, with options that a function changes.
    ///
    ///     .logging(logger) { options in options.level = .debug }
    ///
    /// - Parameters:
    ///   - logger: The logger.
    ///   - configure: Changes the default options.
    /// - Returns: The instrument.
    public static func logging(
        _ logger: Logger,
        _ configure: (inout LoggingOptions) -> Void
    ) -> SessionInstrument {
        var options = LoggingOptions()
        configure(&options)
        return logging(logger, options)
    }
}
#endif
