#if Observability
import MoyaHTTP

extension SessionInstrument {
    /// Creates spans by swift-distributed-tracing: one of the kind `client` for each exchange, that is for each redirect, answered
    /// challenge, retry and resend of a request.
    ///
    ///     let session = Session(options: SessionOptions(instruments: [.tracing()]))
    ///
    /// A span is a child of the current span, which a server framework or `withSpan` sets. Its context is sent to the server, so that the
    /// server's spans are children of it. Without a tracer, the session sends the current context if the application has set up another
    /// instrument, and nothing otherwise.
    ///
    /// - Parameter options: The options.
    /// - Returns: The instrument.
    public static func tracing(_ options: TracingOptions = TracingOptions()) -> SessionInstrument {
        SessionInstrument(
            requests: options.tracesRequests ? RequestTracer(options) : nil,
            exchanges: ExchangeTracer(options)
        )
    }

    /// Creates spans with options that a function changes.
    ///
    ///     .tracing { options in options.tracesRequests = true }
    ///
    /// - Parameter configure: Changes the default options.
    /// - Returns: The instrument.
    public static func tracing(_ configure: (inout TracingOptions) -> Void) -> SessionInstrument {
        var options = TracingOptions()
        configure(&options)
        return tracing(options)
    }
}
#endif
